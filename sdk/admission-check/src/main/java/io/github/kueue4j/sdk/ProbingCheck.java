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
 * An admission check that can tell whether its backend works without judging a workload. While it
 * doesn't, the AdmissionCheck object is not Active, with the reason: queues then reserve no quota
 * for workloads that nobody could judge. Workloads that are waiting for their verdict already are
 * evaluated as ever, and again as soon as the backend is back.
 *
 * @param <P> as in {@link AdmissionCheck}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ProbingCheck<P> extends AdmissionCheck<P> {

  /**
   * Asks the backend. Called once after the start and then at the controller's probe interval, for
   * one AdmissionCheck object after the other, on a thread that may block; interrupted after the
   * controller's timeout.
   *
   * @param check the name of the AdmissionCheck
   * @param parameters those that the AdmissionCheck refers to
   * @return how the backend is
   * @throws Exception counts as down, with the exception's message
   */
  BackendHealth probe(String check, P parameters) throws Exception;
}
