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
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.FlavorResource;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link State} says about a Cohort, be it an object or only named by others.
 *
 * @param share what it borrows from its parent
 * @param quota its own and what its members lend
 * @param reservation quota of all reserving Workloads below it
 * @param admitted Workloads below it that are admitted
 * @param usage what the ClusterQueues below it have used, as their statuses say it; null where that
 *     isn't counted, or not yet
 */
@API(status = API.Status.INTERNAL)
public record CohortReport(
    DominantShare share,
    Amounts<FlavorResource> quota,
    Amounts<FlavorResource> reservation,
    int admitted,
    @Nullable AdmissionFairSharingStatus usage) {}
