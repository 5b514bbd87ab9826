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
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.ObjectKey;
import org.apiguardian.api.API;

/**
 * Something that a check holds for a workload, named so that it can be found again when the
 * workload is gone: keep all three with every booking.
 *
 * @param workload namespace and name of the Workload
 * @param uid of the Workload: one deleted and created again under its name is another
 * @param check the name of the AdmissionCheck
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Holding(ObjectKey workload, String uid, String check) {}
