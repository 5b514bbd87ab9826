// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1NonResourceAttributes;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1SubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewStatus;
import io.kubernetes.client.openapi.models.V1TokenReview;
import io.kubernetes.client.openapi.models.V1TokenReviewSpec;
import io.kubernetes.client.openapi.models.V1TokenReviewStatus;
import io.kubernetes.client.openapi.models.V1UserInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delegates authentication (TokenReview) and authorization (SubjectAccessReview of a path or of
 * objects) to the API server, as Kubernetes' own components do: see its pages "Authenticating" and
 * "Authorization". Positive decisions are cached for a minute, refusals for ten seconds. This
 * process needs permission to create both reviews.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DelegatedAuthorizer implements RequestAuthorizer {
  private static final Logger log = LoggerFactory.getLogger(DelegatedAuthorizer.class);
  private static final String BEARER = "Bearer ";
  private static final Duration ALLOWED_FOR = Duration.ofMinutes(1);
  private static final Duration REFUSED_FOR = Duration.ofSeconds(10);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Bound on cached decisions, in case a client sends random tokens; evicted ones are requested
   * again.
   */
  private static final int KEPT_DECISIONS = 256;

  /** Bound on concurrent reviews, because any client can send invented tokens. */
  private static final double REVIEWS_PER_SECOND = 20;

  private static final int BURST = 40;
  private static final int MOST_AT_ONCE = 4;

  /** What names can be: others are refused unasked, since they may be long. */
  private static final Pattern NAMESPACE = Pattern.compile("([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?");

  private static final Pattern NAME = Pattern.compile("([a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?)?");

  private final KubernetesApi api;
  private final InstantSource time;

  private final Semaphore asking = new Semaphore(MOST_AT_ONCE);

  private final Map<CacheKey, CachedDecision> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<CacheKey, CachedDecision> eldest) {
          return size() > KEPT_DECISIONS;
        }
      };

  /**
   * The cache key; it holds a digest of the token, so that a heap dump doesn't contain the token.
   */
  private record CacheKey(String tokenDigest, Access access) {}

  /** The access that the sender of a request wants. */
  private sealed interface Access {
    /** Puts the question to the API server. */
    void fill(V1SubjectAccessReviewSpec spec);

    /** What may not be done, and how to allow it. */
    String refusal();
  }

  private record PathAccess(String verb, String path) implements Access {
    @Override
    public void fill(V1SubjectAccessReviewSpec spec) {
      spec.nonResourceAttributes(new V1NonResourceAttributes().path(path).verb(verb));
    }

    @Override
    public String refusal() {
      return "%s %s; bind it to a ClusterRole with nonResourceURLs: [%s]"
          .formatted(verb, path, path);
    }
  }

  /** A list has no name. */
  private record ObjectAccess(String verb, ResourceType<?> type, ObjectKey key) implements Access {
    /** Whether there can be such an object. */
    boolean possible() {
      return NAMESPACE.matcher(key.namespace()).matches() && NAME.matcher(key.name()).matches();
    }

    @Override
    public void fill(V1SubjectAccessReviewSpec spec) {
      spec.resourceAttributes(
          new V1ResourceAttributes()
              .group(type.group())
              .resource(type.plural())
              .verb(verb)
              .namespace(key.namespace())
              .name(key.name()));
    }

    @Override
    public String refusal() {
      String resource = type.plural() + "." + type.group();
      if (!key.name().isEmpty()) {
        return verb + " " + resource + " " + key + "; bind it to a role with this permission";
      }
      return "%s %s %s; bind it to a Role with this permission"
          .formatted(
              verb,
              resource,
              key.namespace().isEmpty() ? "in all namespaces" : "in namespace " + key.namespace());
    }
  }

  private record CachedDecision(Decision decision, Instant until) {}

  private DelegatedAuthorizer(KubernetesApi api, InstantSource time) {
    this.api = api;
    this.time = time;
  }

  /** An authorizer on this API server. */
  public static DelegatedAuthorizer on(ClusterConnection connection) {
    Object owner = new Object();
    return new DelegatedAuthorizer(
        connection.limited(REVIEWS_PER_SECOND, BURST).callsOf(owner, CALL_TIMEOUT).api(),
        connection.wireTime());
  }

  @Override
  public Decision decide(String authorization, String verb, String path) {
    return decide(authorization, new PathAccess(verb, path));
  }

  /**
   * Decides whether the sender of a request may list objects.
   *
   * @param authorization the request's header of that name; empty if it has none
   * @param namespace of the objects; empty for all namespaces
   */
  public Decision decideList(String authorization, ResourceType<?> type, String namespace) {
    return decideAbout(authorization, new ObjectAccess("list", type, new ObjectKey(namespace, "")));
  }

  /**
   * Decides whether the sender of a request may read one object.
   *
   * @param authorization as that of {@link #decideList}
   * @param key of the object, which need not be there
   */
  public Decision decideGet(String authorization, ResourceType<?> type, ObjectKey key) {
    return decideAbout(authorization, new ObjectAccess("get", type, key));
  }

  private Decision decideAbout(String authorization, ObjectAccess access) {
    return access.possible()
        ? decide(authorization, access)
        : new Decision.Denied("the name or the namespace can't be one of Kubernetes; correct it");
  }

  private Decision decide(String authorization, Access access) {
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return new Decision.Unauthenticated(
          "send the token of a service account as a bearer: \"Authorization: Bearer TOKEN\"");
    }
    String token = authorization.substring(BEARER.length()).strip();
    if (token.isEmpty()) {
      return new Decision.Unauthenticated("the token after \"Bearer\" is empty");
    }
    CacheKey question = new CacheKey(digest(token), access);
    Instant now = time.instant();
    synchronized (kept) {
      CachedDecision found = kept.get(question);
      if (found != null && now.isBefore(found.until())) {
        return found.decision();
      }
    }
    if (!asking.tryAcquire()) {
      return new Decision.Undecided("too many concurrent requests; try again");
    }
    Decision decision;
    try {
      decision = review(token, access);
    } catch (KubernetesApiException e) {
      log.atWarn()
          .addKeyValue("access", access)
          .addKeyValue("problem", e.getMessage())
          .log("TokenReview or SubjectAccessReview failed");
      return new Decision.Undecided(
          "the API server could not authenticate or authorize the request: " + e.getMessage());
    } finally {
      asking.release();
    }
    Duration life = decision instanceof Decision.Allowed ? ALLOWED_FOR : REFUSED_FOR;
    synchronized (kept) {
      kept.values().removeIf(old -> !now.isBefore(old.until()));
      kept.put(question, new CachedDecision(decision, now.plus(life)));
    }
    return decision;
  }

  private Decision review(String token, Access wanted) {
    V1TokenReviewStatus identity =
        api.create(
                CoreTypes.TOKEN_REVIEW,
                new V1TokenReview()
                    .metadata(new V1ObjectMeta())
                    .spec(new V1TokenReviewSpec().token(token)))
            .getStatus();
    @Nullable V1UserInfo user = identity == null ? null : identity.getUser();
    if (identity == null || user == null || !Boolean.TRUE.equals(identity.getAuthenticated())) {
      return new Decision.Unauthenticated("the API server doesn't accept this token; renew it");
    }
    V1SubjectAccessReviewSpec spec =
        new V1SubjectAccessReviewSpec()
            .user(user.getUsername())
            .uid(user.getUid())
            .groups(user.getGroups())
            .extra(user.getExtra());
    wanted.fill(spec);
    V1SubjectAccessReviewStatus access =
        api.create(
                CoreTypes.SUBJECT_ACCESS_REVIEW,
                new V1SubjectAccessReview().metadata(new V1ObjectMeta()).spec(spec))
            .getStatus();
    return access != null && Boolean.TRUE.equals(access.getAllowed())
        ? new Decision.Allowed(Objects.requireNonNullElse(user.getUsername(), ""))
        : new Decision.Denied(user.getUsername() + " may not " + wanted.refusal());
  }

  private static String digest(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
