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
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/**
 * The one method that the author of a check writes: may this workload, whose quota is reserved,
 * start?
 *
 * <p>It is called only while the answer matters: the workload is active, not finished, not being
 * deleted, not evicted, its quota is reserved and this check's entry is Pending. It is called again
 * for every new reservation. The caller writes the answer, and drops it when it comes too late (the
 * workload was evicted in between, say), so there is nothing to guard against here.
 *
 * <p>Calls for different workloads run concurrently, each on a thread of its own that may block; it
 * is interrupted at {@link Evaluation#deadline()}.
 *
 * @param <P> the parameters of the check, read from the object that the AdmissionCheck refers to;
 *     {@link NoParameters} for a check without any
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface AdmissionCheck<P> {

  /**
   * Judges one workload.
   *
   * @param evaluation the workload, what it asks for and which attempt this is
   * @return the verdict, never null
   * @throws Exception as a surprise: the workload stays Pending and is evaluated again with a
   *     growing delay; when surprises go on for longer than the controller's error budget, the
   *     workload gets a Retry, so that a broken backend doesn't hold quota
   */
  Verdict evaluate(Evaluation<P> evaluation) throws Exception;
}
