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
package io.github.kueue4j.sdk.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a check holds is given up whichever way its workload goes. */
class CleanupTest extends EvaluatorFixture {

  private static final Holding HOLDING = new Holding(KEY, "uid-1", "budget");

  private final Bookings check = new Bookings();

  @Test
  void aWorkloadThatIsDeletedWithItsQuotaIsCleanedUpUntilThatSucceeds() throws Exception {
    evaluate();
    workloads.sync();
    evaluate();
    cluster.remove(KueueTypes.WORKLOAD, KEY);
    workloads.sync();

    check.broken = true;
    assertThatThrownBy(this::evaluate).hasMessage("not now");
    check.broken = false;
    evaluate();
    evaluate();

    assertThat(check.deleted).containsExactly(HOLDING);
    assertThat(check.cleanedUp).isEmpty();
    assertThat(memory.size()).isZero();
  }

  @Test
  void aWorkloadOfTheSameNameIsAnotherAndNeedNotWait() throws Exception {
    evaluate();
    reserved(T0.plusSeconds(30));
    change(
        workload -> {
          workload.getAsJsonObject("metadata").addProperty("uid", "uid-2");
          entryOf(workload, "budget").addProperty("state", "Pending");
        });

    check.broken = true;
    assertThatThrownBy(this::evaluate).hasMessage("not now");
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    check.broken = false;
    workloads.sync();
    evaluate();

    assertThat(check.deleted).containsExactly(HOLDING);
    assertThat(memory.holdings(KEY)).containsExactly(new Holding(KEY, "uid-2", "budget"));
  }

  @Test
  void aQueueThatNoLongerAsksTheCheckEndsItToo() throws Exception {
    evaluate();
    workloads.sync();
    evaluate();
    change(workload -> removeEntry(workload.getAsJsonObject("status"), "budget"));

    evaluate();
    evaluate();

    assertThat(check.cleanedUp).containsExactly(KEY);
  }

  @Test
  void afterAStartWhatIsHeldForWorkloadsThatAreGoneIsFound() throws Exception {
    ObjectKey gone = new ObjectKey("team-a", "gone");
    Holding lost = new Holding(gone, "uid-0", "budget");
    check.owned = List.of(HOLDING, lost);
    List<ObjectKey> queue = new ArrayList<>();
    Sweep sweep = new Sweep(check, memory, queue::add);

    check.broken = true;
    assertThatThrownBy(sweep::once).hasMessage("not now");
    check.broken = false;
    sweep.once();
    sweep.once();
    assertThat(queue).containsExactly(KEY, gone);
    evaluate();
    evaluator(new ParametersLookup.Constant<>(NoParameters.INSTANCE), check).reconcile(gone);

    assertThat(check.deleted).containsExactly(lost);
    assertThat(check.cleanedUp).isEmpty();
  }

  private void evaluate() throws Exception {
    evaluator(new ParametersLookup.Constant<>(NoParameters.INSTANCE), check).reconcile(KEY);
  }

  private static final class Bookings implements AdmissionCheck<NoParameters>, Cleanup {
    private final List<ObjectKey> cleanedUp = new ArrayList<>();
    private final List<Holding> deleted = new ArrayList<>();
    private Collection<Holding> owned = List.of();
    private boolean broken;

    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      return Verdict.ready("booked");
    }

    @Override
    public void cleanUp(Workload workload, String name) throws IOException {
      works();
      cleanedUp.add(workload.key());
    }

    @Override
    public void cleanUpDeleted(Holding holding) throws IOException {
      works();
      deleted.add(holding);
    }

    @Override
    public Collection<Holding> owned() throws IOException {
      works();
      return owned;
    }

    private void works() throws IOException {
      if (broken) {
        throw new IOException("not now");
      }
    }
  }
}
