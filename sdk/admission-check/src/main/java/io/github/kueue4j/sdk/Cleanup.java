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

import io.github.kueue4j.api.Workload;
import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What an {@link AdmissionCheck} also implements if it holds something for workloads, such as a
 * booking: giving it up once a workload no longer has the quota for which it was taken.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Cleanup {

  /**
   * Gives up what the check holds for a workload that was evicted, sent back, deactivated or has
   * finished, or whose queue no longer asks the check. Called at least once each time, again after
   * a restart, and never while the check evaluates the same workload; so it must do nothing if
   * there is nothing (left) to give up.
   *
   * @param workload as it is now
   * @param check the name of the AdmissionCheck
   * @throws Exception any failure; it is tried again with a growing delay
   */
  void cleanUp(Workload workload, String check) throws Exception;

  /**
   * Gives up what the check holds for a workload that is gone. Called at least once; does nothing
   * unless overridden, which is right where all that is held goes with the workload by an owner
   * reference.
   *
   * @param holding names the workload; there may be a new one of the same name
   * @throws Exception any failure; it is tried again with a growing delay
   */
  default void cleanUpDeleted(Holding holding) throws Exception {}

  /**
   * All that the check holds, as far as its backend knows. Asked once after each start (with leader
   * election: once this replica leads), because workloads may have been deleted while no controller
   * was there to see it; those get {@link #cleanUpDeleted}.
   *
   * @return empty unless overridden
   * @throws Exception any failure; it is tried again with a growing delay
   */
  default Collection<Holding> owned() throws Exception {
    return List.of();
  }
}
