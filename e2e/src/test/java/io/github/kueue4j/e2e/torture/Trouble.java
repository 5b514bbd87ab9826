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
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.testkit.traffic.Fault;
import io.github.kueue4j.testkit.traffic.Faults;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.time.Duration;
import java.util.Random;

/** What can go wrong between the controllers and the embedded server. */
enum Trouble {
  /** Writes meet somebody else's, or so the server says. */
  CONFLICTS {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(0.3, VICTIMS.and(RequestMatcher.writes()), 409, random);
    }
  },
  /** The server asks for patience. */
  THROTTLING {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(0.1, VICTIMS.and(RequestMatcher.anyResource()), 429, random);
    }
  },
  /** The server fails. */
  ERRORS {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(0.3, VICTIMS.and(RequestMatcher.anyResource()), 500, random);
    }
  },
  /** The server isn't there. */
  OUTAGE {
    @Override
    Fault begin(Faults faults, Random random) {
      return faults.failRate(1, VICTIMS.and(RequestMatcher.anyResource()), 503, random);
    }
  },
  /** Every answer takes its time. */
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
