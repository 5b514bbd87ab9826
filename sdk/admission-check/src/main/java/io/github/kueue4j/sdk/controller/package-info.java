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
 * Running a check: from the informers over the guarded call of the author's method and the fence to
 * the patch of one entry. {@link io.github.kueue4j.sdk.controller.CheckController} is the front
 * door.
 *
 * <p>One worker handles a workload at a time, from deciding that an evaluation is due to writing
 * its verdict, so nothing here needs a lock per workload. Two other designs were rejected:
 * evaluations that outlive their worker (the state of one workload would be shared by threads, for
 * nothing but fewer idle threads), and remembering verdicts that could not be written (the API
 * server is the memory; a verdict that was lost is asked for again).
 */
@NullMarked
package io.github.kueue4j.sdk.controller;

import org.jspecify.annotations.NullMarked;
