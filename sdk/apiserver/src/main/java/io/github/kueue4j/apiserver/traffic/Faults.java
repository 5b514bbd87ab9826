// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.traffic;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * Disturbs the embedded server the way networks and overloaded servers do. Each method takes effect
 * at once; those that return a {@link Fault} last until it is closed or {@link #clear} is called.
 * Several faults may match one request: delays add up, the first failure wins. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Faults {

  /** The part of the server that a fault acts on. */
  @API(status = API.Status.INTERNAL)
  public interface Target {
    int dropWatches(RequestMatcher matcher);

    void expireHistory();

    void acceptConnections(boolean accept);
  }

  /**
   * The disturbance of one request: wait, then fail with a status, or carry it out and cut the
   * answer off, or none of these.
   */
  @API(status = API.Status.INTERNAL)
  public record Disturbance(Duration delay, int failure, boolean cut) {
    /** Whether the request is answered with {@link #failure} instead of being carried out. */
    public boolean fails() {
      return failure != 0;
    }
  }

  private final Target target;
  private final List<FaultRule> rules = new CopyOnWriteArrayList<>();

  @API(status = API.Status.INTERNAL)
  public Faults(Target target) {
    this.target = target;
  }

  /** Holds matching requests back by this much real time before they are carried out. */
  public Fault delay(RequestMatcher matcher, Duration delay) {
    return add(new Delay(matcher, delay));
  }

  /**
   * Answers the next {@code count} matching requests with this status instead of carrying them out.
   *
   * @param status 400 to 599; 404, 409, 429, 500 and 503 have the API's own reasons and texts, 404
   *     those of a resource that isn't served, 429 carries {@code Retry-After: 1}
   */
  public Fault failNext(int count, RequestMatcher matcher, int status) {
    return add(new FailNext(matcher, checkStatus(status), new AtomicInteger(count)));
  }

  /**
   * Answers a share of the matching requests with this status instead of carrying them out.
   *
   * @param probability 0.0 to 1.0
   * @param random seeded by the caller, so that a run can be repeated
   */
  public Fault failRate(
      double probability, RequestMatcher matcher, int status, RandomGenerator random) {
    return add(new FailRate(matcher, checkStatus(status), new Share(probability, random)));
  }

  /**
   * Carries a share of the matching requests out, and ends their connection in the middle of the
   * answer's body, so that the client doesn't know what has become of its request. Watches are left
   * alone, see {@link #dropWatches}.
   *
   * @param probability 0.0 to 1.0
   * @param random seeded by the caller, so that a run can be repeated
   */
  public Fault cutAnswers(double probability, RequestMatcher matcher, RandomGenerator random) {
    RequestMatcher answered = matcher.and(request -> !request.verb().equals("watch"));
    return add(new Cut(answered, new Share(probability, random)));
  }

  /**
   * Sends each event of matching watches this much real time late, and bookmarks not before the
   * events that they follow. When the fault ends, what is late is sent.
   */
  public Fault delayEvents(RequestMatcher matcher, Duration delay) {
    return add(new LateEvents(matcher, delay));
  }

  /**
   * Sends what matching watches send at a time twice: after its last event comes the first one
   * again, with an older resourceVersion.
   */
  public Fault repeatEvents(RequestMatcher matcher) {
    return add(new RepeatedEvents(matcher));
  }

  /**
   * Keeps matching watches open but sends nothing on them, not even bookmarks. Watches already open
   * fall silent too. When the fault ends, they go on where they stopped.
   */
  public Fault silenceWatches(RequestMatcher matcher) {
    return add(new Silence(matcher));
  }

  /** Cuts matching open watches off in the middle of the stream; returns how many. */
  public int dropWatches(RequestMatcher matcher) {
    return target.dropWatches(matcher);
  }

  /**
   * Forgets the history of changes: a watch or a list continuation from an older resourceVersion is
   * answered 410, and open watches end with an ERROR event 410.
   */
  public void expireHistory() {
    target.expireHistory();
  }

  /** Closes the listening port and all connections; the port opens again when the fault ends. */
  public Fault refuseConnections() {
    target.acceptConnections(false);
    return add(new Refusal());
  }

  /** Accepts matching requests but answers none until the fault ends, like a server that hangs. */
  public Fault pause(RequestMatcher matcher) {
    return add(new Pause(matcher));
  }

  /** Ends all faults. */
  public void clear() {
    for (FaultRule faultRule : rules) {
      faultRule.close();
    }
  }

  /** Decides what happens to a request and waits while the server is paused. */
  @API(status = API.Status.INTERNAL)
  public Disturbance disturb(ApiRequest request) throws InterruptedException {
    Duration delay = Duration.ZERO;
    int failure = 0;
    boolean cut = false;
    for (FaultRule faultRule : rules) {
      if (!faultRule.matcher.matches(request)) {
        continue;
      }
      if (faultRule instanceof Delay slow) {
        delay = delay.plus(slow.delay);
        slow.hits.incrementAndGet();
      } else if (faultRule instanceof Pause pause) {
        pause.hits.incrementAndGet();
        pause.over.await();
      } else if (faultRule instanceof Cut half) {
        cut |= half.cuts();
      } else if (failure == 0) {
        failure = faultRule.failure();
      }
    }
    return new Disturbance(delay, failure, cut);
  }

  /** Whether this watch must stay silent at the moment. */
  @API(status = API.Status.INTERNAL)
  public boolean silenced(ApiRequest watch) {
    for (FaultRule faultRule : rules) {
      if (faultRule instanceof Silence silence && silence.matcher.matches(watch)) {
        silence.hit(watch);
        return true;
      }
    }
    return false;
  }

  /**
   * How late the events of this watch have to be at the moment.
   *
   * @param arrived how many events have just come, which count as disturbed if they are to be late
   */
  @API(status = API.Status.INTERNAL)
  public Duration lateness(ApiRequest watch, int arrived) {
    Duration delay = Duration.ZERO;
    for (FaultRule faultRule : rules) {
      if (faultRule instanceof LateEvents late && late.matcher.matches(watch)) {
        delay = delay.plus(late.delay);
        late.hits.addAndGet(arrived);
      }
    }
    return delay;
  }

  /**
   * Whether the events that are being sent on this watch have to be sent twice.
   *
   * @param events how many they are
   */
  @API(status = API.Status.INTERNAL)
  public boolean repeated(ApiRequest watch, int events) {
    for (FaultRule faultRule : rules) {
      if (faultRule instanceof RepeatedEvents && faultRule.matcher.matches(watch)) {
        faultRule.hits.addAndGet(events);
        return true;
      }
    }
    return false;
  }

  private Fault add(FaultRule faultRule) {
    rules.add(faultRule);
    return faultRule;
  }

  private static int checkStatus(int status) {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status must be within 400..599, was " + status);
    }
    return status;
  }

  private abstract class FaultRule implements Fault {
    final RequestMatcher matcher;
    final AtomicLong hits = new AtomicLong();

    FaultRule(RequestMatcher matcher) {
      this.matcher = matcher;
    }

    /** The status to answer with, or 0 to let the request pass; counts the hit. */
    int failure() {
      return 0;
    }

    @Override
    public long hits() {
      return hits.get();
    }

    @Override
    public void close() {
      rules.remove(this);
    }
  }

  private final class Delay extends FaultRule {
    private final Duration delay;

    Delay(RequestMatcher matcher, Duration delay) {
      super(matcher);
      this.delay = delay;
    }
  }

  private final class FailNext extends FaultRule {
    private final int status;
    private final AtomicInteger left;

    FailNext(RequestMatcher matcher, int status, AtomicInteger left) {
      super(matcher);
      this.status = status;
      this.left = left;
    }

    @Override
    int failure() {
      if (left.getAndUpdate(count -> Math.max(0, count - 1)) <= 0) {
        return 0;
      }
      hits.incrementAndGet();
      return status;
    }
  }

  private final class FailRate extends FaultRule {
    private final int status;
    private final Share share;

    FailRate(RequestMatcher matcher, int status, Share share) {
      super(matcher);
      this.status = status;
      this.share = share;
    }

    @Override
    int failure() {
      if (!share.next()) {
        return 0;
      }
      hits.incrementAndGet();
      return status;
    }
  }

  private final class Cut extends FaultRule {
    private final Share share;

    Cut(RequestMatcher matcher, Share share) {
      super(matcher);
      this.share = share;
    }

    /** Whether to cut this answer off; counts the hit. */
    boolean cuts() {
      if (!share.next()) {
        return false;
      }
      hits.incrementAndGet();
      return true;
    }
  }

  /** Draws a share of what comes. */
  private static final class Share {
    private final double probability;
    private final RandomGenerator random;

    Share(double probability, RandomGenerator random) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException("probability must be within 0..1, was " + probability);
      }
      this.probability = probability;
      this.random = random;
    }

    synchronized boolean next() {
      return random.nextDouble() < probability;
    }
  }

  private final class LateEvents extends FaultRule {
    private final Duration delay;

    LateEvents(RequestMatcher matcher, Duration delay) {
      super(matcher);
      this.delay = delay;
    }
  }

  private final class RepeatedEvents extends FaultRule {
    RepeatedEvents(RequestMatcher matcher) {
      super(matcher);
    }
  }

  private final class Silence extends FaultRule {
    /** By identity: a client may have two watches alike. */
    private final Set<ApiRequest> silenced = Collections.newSetFromMap(new IdentityHashMap<>());

    Silence(RequestMatcher matcher) {
      super(matcher);
    }

    /** Counts a watch when it falls silent, however often it asks. */
    synchronized void hit(ApiRequest watch) {
      if (silenced.add(watch)) {
        hits.incrementAndGet();
      }
    }
  }

  private final class Pause extends FaultRule {
    private final CountDownLatch over = new CountDownLatch(1);

    Pause(RequestMatcher matcher) {
      super(matcher);
    }

    @Override
    public void close() {
      super.close();
      over.countDown();
    }
  }

  private final class Refusal extends FaultRule {
    Refusal() {
      super(request -> false);
    }

    @Override
    public void close() {
      if (rules.remove(this)) {
        target.acceptConnections(true);
      }
    }
  }
}
