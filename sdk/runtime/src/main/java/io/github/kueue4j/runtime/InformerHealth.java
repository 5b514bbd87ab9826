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
package io.github.kueue4j.runtime;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How one informer is doing.
 *
 * @param resource what it watches, for example {@code workloads.kueue.x-k8s.io}
 * @param synced whether the first complete list has arrived
 * @param watching whether a watch connection is open right now
 * @param lastEventAge how long ago the last list, event or bookmark arrived, in wire time; null
 *     before the first
 * @param lastActivityAge how long ago anything at all happened, a failure included
 * @param relists how many complete lists were read
 * @param failuresInARow failed lists and watches since the last success
 * @param lastError the last failure, or null if the last attempt succeeded
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record InformerHealth(
    String resource,
    boolean synced,
    boolean watching,
    @Nullable Duration lastEventAge,
    Duration lastActivityAge,
    long relists,
    int failuresInARow,
    @Nullable String lastError) {}
