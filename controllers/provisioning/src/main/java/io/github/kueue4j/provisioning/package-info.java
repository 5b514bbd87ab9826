// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check: asks the cluster autoscaler for capacity with a ProvisioningRequest
 * (autoscaling.x-k8s.io/v1) and answers Ready once it is provisioned.
 *
 * <p>The Workload owns the ProvisioningRequest, which owns its PodTemplates. A request belongs to
 * one reservation: one that is left from a former reservation is deleted, and a new one is created.
 * So are PodTemplates of a former request. An object of another owner is never deleted: where it
 * has the name that is needed, the request gets another one, and is found again by its owner and
 * its marks. All state is in these objects, so a restart forgets nothing.
 */
@NullMarked
package io.github.kueue4j.provisioning;

import org.jspecify.annotations.NullMarked;
