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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link State} says about the usage of a queue (KEP-4136).
 *
 * @param compared by how much it is compared with others: past usage and entry penalties, weighted
 *     by resource and divided by the queue's weight; infinite for weight 0
 * @param sampled what its status shall say; null as long as there is nothing to say
 */
@API(status = API.Status.INTERNAL)
public record QueueUsage(double compared, @Nullable AdmissionFairSharingStatus sampled) {}
