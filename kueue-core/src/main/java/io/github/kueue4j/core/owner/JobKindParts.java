// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.kubernetes.client.common.KubernetesObject;

/** The parts that the calls on a Job of one kind share: made once per kind, by its controller. */
record JobKindParts<T extends KubernetesObject>(
    JobStore<T> jobs,
    WorkloadsOfJobs workloads,
    DuplicateWorkloads<T> duplicates,
    JobDemand<T> demand,
    JobRuns<T> runs,
    JobNews news,
    StoppedPods stoppedPods,
    Retention retention) {}
