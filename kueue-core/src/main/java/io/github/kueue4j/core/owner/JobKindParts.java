// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;

/** The parts that the calls on a Job of one kind share: made once per kind, by its controller. */
record JobKindParts<T extends KubernetesObject>(
    JobKind<T> kind,
    OwnedJobs<T> owned,
    DuplicateWorkloads<T> duplicates,
    JobRuns<T> runs,
    JobDemand<T> demand,
    StoppedPods stoppedPods,
    UnknownPods unknownPods,
    Retention retention,
    KubernetesApi api,
    EventRecorder events) {}
