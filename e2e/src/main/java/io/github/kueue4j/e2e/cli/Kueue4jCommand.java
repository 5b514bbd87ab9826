/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import picocli.CommandLine.Command;

/** The launcher's root: names its commands, does nothing by itself. */
@Command(
    name = "kueue4j",
    description = "Admission control for Kubernetes batch work.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    version = "kueue4j 0.1.0-SNAPSHOT",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      CoreCommand.class,
      CheckCommand.class,
      ExplainCommand.class,
      ConformanceCommand.class,
      RbacCommand.class,
      BenchCommand.class
    })
final class Kueue4jCommand {}
