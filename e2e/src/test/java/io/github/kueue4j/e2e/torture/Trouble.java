// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import java.time.Duration;
import java.util.Random;

/** What can go wrong between the controllers and the embedded server. */
enum Trouble {
  /** Writes are answered with a conflict, as if another client had written in between. */
  CONFLICTS {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(0.3, VICTIMS.and(RequestMatcher.writes()), 409, random);
    }
  },
  /** Some requests are answered with 429. */
  THROTTLING {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(0.1, VICTIMS.and(RequestMatcher.anyResource()), 429, random);
    }
  },
  /** Some requests are answered with 500. */
  ERRORS {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(0.3, VICTIMS.and(RequestMatcher.anyResource()), 500, random);
    }
  },
  /** Every request is answered with 503. */
  OUTAGE {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(1, VICTIMS.and(RequestMatcher.anyResource()), 503, random);
    }
  },
  /** Every answer is delayed. */
  SLOWNESS {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.delay(VICTIMS.and(RequestMatcher.anyResource()), Duration.ofMillis(60));
    }
  },
  /** Watches break, once. */
  BROKEN_WATCHES {
    @Override
    Fault begin(Faults faults, Random random) {
      faults.dropWatches(VICTIMS);
      return faults.delay(request -> false, Duration.ZERO);
    }
  },
  /** Watches look open but bring nothing. */
  SILENT_WATCHES {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.silenceWatches(VICTIMS);
    }
  },
  /** The server has forgotten the version that a watch wants to go on from. */
  EXPIRED_WATCHES {
    @Override
    Fault begin(Faults faults, Random random) {
      Fault fault = faults.failNext(6, VICTIMS.and(RequestMatcher.verbs("watch")), 410);
      faults.dropWatches(VICTIMS);
      return fault;
    }
  };

  /** The core and the SDK's controller; the observer and the players see everything. */
  static final RequestMatcher VICTIMS =
      request ->
          request.userAgent().contains("kueue-core") || request.userAgent().contains(Storm.CAREFUL);

  /**
   * Begins.
   *
   * @return ends it when closed
   */
  abstract Fault begin(Faults faults, Random random);
}
