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

/**
 * A reference check: asks the cluster autoscaler for room with a ProvisioningRequest
 * (autoscaling.x-k8s.io/v1) and lets the workload through once the room is there.
 *
 * <p>The Workload owns the ProvisioningRequest, which owns its PodTemplates. A request belongs to
 * one reservation: one that was left over from a former reservation is deleted and asked anew. All
 * state is in these objects, so a restart forgets nothing.
 */
@NullMarked
package io.github.kueue4j.provisioning;

import org.jspecify.annotations.NullMarked;
