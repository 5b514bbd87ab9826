// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.JsonParseException;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.components.LoopbackAnswers;
import io.github.kueue4j.observe.dryrun.DryRunResult.AskedCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ClusterConnectionException;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ServiceProxy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The answers that admission checks would give about a Workload that isn't there: each is asked at
 * the Service that its AdmissionCheck names, by way of the API server ({@link DryEvaluations}). The
 * user's token goes there: to one namespace only, which the user chooses, since who may write
 * AdmissionChecks may be less trusted than who asks. The checks of a cluster that is a process of
 * this machine are asked there, without a token ({@link LoopbackAnswers}).
 */
final class CheckAnswers {
  private static final int LONGEST_ANSWER = 256 * 1024;
  private static final int LONGEST_REFUSAL = 1000;

  /** A check has half a minute at most by default. */
  private static final Duration WITHIN = Duration.ofMinutes(1);

  private final ClusterConnection connection;
  private final TokenOption token;
  private final String namespace;
  private final Duration within;

  private @Nullable LoopbackAnswers here;

  /** The checks that didn't answer, which aren't waited for a second time. */
  private final Set<String> silent = new HashSet<>();

  /** Asks Services of this namespace. */
  CheckAnswers(ClusterConnection connection, TokenOption token, String namespace) {
    this(connection, token, namespace, WITHIN);
  }

  CheckAnswers(ClusterConnection connection, TokenOption token, String namespace, Duration within) {
    this.connection = connection;
    this.token = token;
    this.namespace = namespace;
    this.within = within;
  }

  /** The outcome of a question. */
  sealed interface ForeseenAnswer {
    /** The entry that the check would write into the Workload's status. */
    record Given(AdmissionCheckState entry) implements ForeseenAnswer {}

    /**
     * There is none.
     *
     * @param why without a period, as the end of a line
     */
    record None(String why) implements ForeseenAnswer {}
  }

  /** Asks one; all that goes wrong is the answer. */
  ForeseenAnswer of(AskedCheck check) {
    @Nullable Workload asked = check.workload();
    if (asked == null) {
      return new ForeseenAnswer.None("asked once quota is reserved");
    }
    Optional<URI> onThisMachine =
        here().at(check.controller(), asked.key().namespace(), check.name());
    if (onThisMachine.isPresent()) {
      return ask(onThisMachine.get(), check.name(), asked);
    }
    try {
      Optional<DryEvaluations.Service> service =
          Optional.ofNullable(check.object()).flatMap(DryEvaluations::service);
      return service
          .map(found -> ask(found, check.name(), asked))
          .orElseGet(
              () ->
                  unasked(
                      "its AdmissionCheck names no Service to ask (annotation "
                          + DryEvaluations.ANNOTATION
                          + ")"));
    } catch (IllegalArgumentException e) {
      return unasked(e.getMessage());
    }
  }

  private ForeseenAnswer ask(DryEvaluations.Service service, String check, Workload asked) {
    if (!service.namespace().equals(namespace)) {
      return unasked(
          "its Service is in the namespace %s, and your token goes to %s only; if you trust it, --checks-namespace %s"
              .formatted(service.namespace(), namespace, service.namespace()));
    }
    String workload = KueueJson.toJson(asked);
    Optional<ForeseenAnswer> unsent = unsent(check, workload);
    if (unsent.isPresent()) {
      return unsent.get();
    }
    String name = "https:" + service.name() + ":" + service.port();
    try (ServiceProxy.Answer answer =
        connection
            .serviceProxy(
                service.namespace(),
                name,
                new ServiceProxy.Identity(ServiceProxy.FORWARDED_AUTHORIZATION, token.token()))
            .post(DryEvaluations.path(asked.key().namespace(), check), workload, within)) {
      return answered(check, answer.status(), answer.body().readNBytes(LONGEST_ANSWER));
    } catch (KubernetesApiException.Forbidden e) {
      return unasked(
          "you may not reach it; that needs 'create' on services/proxy of "
              + name
              + " in "
              + service.namespace());
    } catch (KubernetesApiException.Unreachable e) {
      silent.add(check);
      return unasked(e.getMessage());
    } catch (KubernetesApiException e) {
      return unasked(e.getMessage());
    } catch (ClusterConnectionException e) {
      return unasked(
          "it knows people by tokens: "
              + e.getMessage()
              + "; write one to a file with 'kubectl create token', and name it with --token-file");
    } catch (IOException | JsonParseException e) {
      return unasked("its answer can't be read (" + e.getMessage() + ")");
    }
  }

  private Optional<ForeseenAnswer> unsent(String check, String workload) {
    if (silent.contains(check)) {
      return Optional.of(unasked("it hasn't answered before"));
    }
    return workload.getBytes(StandardCharsets.UTF_8).length > DryEvaluations.LARGEST_WORKLOAD
        ? Optional.of(
            unasked(
                "the Workload is larger than "
                    + DryEvaluations.LARGEST_WORKLOAD
                    + " bytes of JSON"))
        : Optional.empty();
  }

  private LoopbackAnswers here() {
    LoopbackAnswers known = here == null ? LoopbackAnswers.of(connection, namespace) : here;
    here = known;
    return known;
  }

  /** Asks one that runs on this machine. */
  private ForeseenAnswer ask(URI address, String check, Workload asked) {
    String workload = KueueJson.toJson(asked);
    Optional<ForeseenAnswer> unsent = unsent(check, workload);
    if (unsent.isPresent()) {
      return unsent.get();
    }
    HttpRequest question =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(workload))
            .build();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    HttpClient client = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
    try {
      // A timeout of the request would end with the headers of the answer.
      int status =
          client
              .sendAsync(
                  question,
                  HttpResponse.BodyHandlers.ofByteArrayConsumer(
                      part -> part.ifPresent(bytes -> keep(bytes, body))))
              .get(within.toMillis(), TimeUnit.MILLISECONDS)
              .statusCode();
      return answered(check, status, body.toByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unasked("it was interrupted");
    } catch (ExecutionException | TimeoutException e) {
      silent.add(check);
      return unasked(
          (e.getCause() instanceof ConnectException
                  ? "nothing answers at %s; is './kueue4j up' still running?"
                  : "no whole answer from %s")
              .formatted(address.getAuthority()));
    } catch (JsonParseException e) {
      return unasked("its answer can't be read (" + e.getMessage() + ")");
    } finally {
      client.shutdownNow();
    }
  }

  private static void keep(byte[] bytes, ByteArrayOutputStream body) {
    body.write(bytes, 0, Math.min(bytes.length, LONGEST_ANSWER - body.size()));
  }

  private static ForeseenAnswer answered(String check, int status, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).strip();
    return switch (status) {
      case 200 -> given(check, text);
      case 501 -> new ForeseenAnswer.None("can't be asked in advance");
      default ->
          unasked(
              text.isEmpty()
                  ? "it answered " + status
                  : text.substring(0, Math.min(text.length(), LONGEST_REFUSAL)));
    };
  }

  private static ForeseenAnswer given(String check, String text) {
    AdmissionCheckState entry = KueueJson.fromJson(text, AdmissionCheckState.class);
    return check.equals(entry.name())
        ? new ForeseenAnswer.Given(entry)
        : unasked("what it answered is no entry of this check");
  }

  private static ForeseenAnswer unasked(@Nullable String why) {
    return new ForeseenAnswer.None("can't be asked in advance: " + why);
  }
}
