// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.JsonParseException;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.dryrun.DryRunResult.AskedCheck;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ClusterConnectionException;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.ServiceProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What admission checks would answer about a Workload that isn't there: each is asked at the
 * Service that its AdmissionCheck names, by way of the API server ({@link DryEvaluations}).
 */
final class CheckAnswers {
  private static final int LONGEST_ANSWER = 256 * 1024;

  private final ClusterConnection connection;
  private final TokenOption token;

  CheckAnswers(ClusterConnection connection, TokenOption token) {
    this.connection = connection;
    this.token = token;
  }

  /** What came of it. */
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
    if (check.workload() == null) {
      return new ForeseenAnswer.None("asked once quota is reserved");
    }
    try {
      Optional<DryEvaluations.Service> service =
          Optional.ofNullable(check.object()).flatMap(DryEvaluations::service);
      return service
          .map(found -> ask(found, check.name(), KueueJson.toJson(check.workload())))
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

  private ForeseenAnswer ask(DryEvaluations.Service service, String check, String workload) {
    String name = "https:" + service.name() + ":" + service.port();
    try (ServiceProxy.Answer answer =
        connection
            .serviceProxy(
                service.namespace(),
                name,
                new ServiceProxy.Identity(ServiceProxy.FORWARDED_AUTHORIZATION, token.token()))
            .post(DryEvaluations.PATH + check, workload)) {
      String text =
          new String(answer.body().readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8).strip();
      return switch (answer.status()) {
        case 200 -> new ForeseenAnswer.Given(KueueJson.fromJson(text, AdmissionCheckState.class));
        case 501 -> new ForeseenAnswer.None("can't be asked in advance");
        default -> unasked(text.isEmpty() ? "it answered " + answer.status() : text);
      };
    } catch (KubernetesApiException.Forbidden e) {
      return unasked(
          "you may not reach it; that needs 'create' on services/proxy of "
              + name
              + " in "
              + service.namespace());
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

  private static ForeseenAnswer unasked(@Nullable String why) {
    return new ForeseenAnswer.None("can't be asked in advance: " + why);
  }
}
