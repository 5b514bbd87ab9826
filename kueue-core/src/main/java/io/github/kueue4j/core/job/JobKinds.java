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
package io.github.kueue4j.core.job;

import java.util.List;
import org.apiguardian.api.API;

/** All kinds of Jobs that there are. A new one is a {@link JobKind} in a file, and a line here. */
@API(status = API.Status.INTERNAL)
public final class JobKinds {
  public static final List<JobKind<?>> ALL = List.of(new BatchJob(), new JobSetKind());

  private JobKinds() {}

  /** The names by which a configuration switches them on. */
  public static List<String> frameworks() {
    return ALL.stream().map(JobKind::framework).toList();
  }
}
