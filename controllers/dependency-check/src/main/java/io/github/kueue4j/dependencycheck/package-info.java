// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check that needs no Java: a Workload starts after others have succeeded.
 *
 * <p>The author of a Job names them in an annotation:
 *
 * <pre>
 * kueue4j.io/depends-on: job/prepare, job/load
 * </pre>
 *
 * <p>It is read from the Workload, where kueue-core copies that of a Job, and from the pod
 * templates in it, where every core has what stands in those of a Job. So the check reads nothing
 * but Workloads. What was seen of them is kept by name ({@code Dependencies}), so that a question
 * costs a look-up for each name, and a Workload that ends wakes those that name it.
 *
 * <p>A Workload waits without quota: its Retry ends when the last one that it names has succeeded.
 *
 * <p>Rejected: reading the annotation from the Job. It takes the right to read every kind of Jobs,
 * and a request for each question. Rejected: keeping what has succeeded in an object of its own. It
 * would outlive what it is about, and writing Workloads is a right that no check needs.
 */
@NullMarked
package io.github.kueue4j.dependencycheck;

import org.jspecify.annotations.NullMarked;
