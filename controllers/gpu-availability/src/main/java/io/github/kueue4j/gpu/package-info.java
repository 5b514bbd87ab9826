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
 * A reference check: are as many GPUs free as the workload reserved quota for?
 *
 * <p>Quota says what a queue may use, not what works today: nodes break, are drained, or are used
 * by pods that no queue knows. For every flavor that gave quota for a GPU resource the check counts
 *
 * <pre>free = allocatable on ready, schedulable nodes with the flavor's node labels
 *      - requests of pods on these nodes
 *      - what workloads have reserved on this flavor that it let through or that are admitted</pre>
 *
 * where pods of a workload that is counted already are left out. Nothing is stored, so a restart
 * forgets nothing.
 */
@NullMarked
package io.github.kueue4j.gpu;

import org.jspecify.annotations.NullMarked;
