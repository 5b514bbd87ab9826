// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Running a check: from the informers over the guarded call of the author's method and the fence to
 * the patch of one entry. {@link io.github.kueue4j.sdk.CheckController} is the entry point.
 *
 * <p>One worker handles a workload at a time, from deciding that an evaluation is due to writing
 * its verdict, so nothing here needs a lock per workload. Two other designs were rejected:
 * evaluations that outlive their worker (threads would share the state of a workload, and only a
 * few idle threads would be saved), and remembering verdicts that could not be written (the state
 * is in the API server; a verdict that was lost is asked for again).
 *
 * <p>One evaluation: {@code WorkloadReconciler} builds an {@code OwnEntry} for each entry that this
 * controller answers for; {@code Evaluator} decides with {@code Due} whether it is due, calls the
 * check through its {@code Guard}, hands the verdict to {@code VerdictWriter} and puts what is left
 * behind into the entry's {@code CheckMemory}.
 */
@NullMarked
package io.github.kueue4j.sdk.internal.controller;

import org.jspecify.annotations.NullMarked;
