// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check that needs no Java: a person decides whether a Workload may start.
 *
 * <p>The decision is an object, an {@code Approval} in the namespace of the Workload, written by
 * {@code kueue4j approve} and {@code deny} or by hand. It is about one Workload by its uid, and
 * about one spec of it by its generation. What all Approvals of a Workload say together is a pure
 * function ({@code Standing}).
 *
 * <p>An {@code ApprovalCheck} (cluster-scoped, optional) has what is the same for all:
 *
 * <pre>
 * apiVersion: checks.kueue4j.io/v1alpha1
 * kind: ApprovalCheck
 * metadata: {name: large-jobs}
 * spec:
 *   approvers: the operators of the cluster
 *   holdsFor: 72h
 * </pre>
 *
 * <p>A Workload waits without quota: its Retry lasts until a decision is there, and nothing is
 * polled.
 *
 * <p>Rejected: a label or annotation of the Workload. Each user who may edit the Workload may write
 * it, it doesn't say who wrote it, and a tenant can copy it.
 */
@NullMarked
package io.github.kueue4j.approvalcheck;

import org.jspecify.annotations.NullMarked;
