// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * How an admission check is asked in advance: what it would answer about a Workload that isn't
 * there. A POST of the Workload, with the quota that it would get, to {@link #path} is answered by
 * the entry that the check would write. The sender needs the rights to list Workloads in the
 * Workload's namespace, and to get the AdmissionCheck. An extension of kueue4j.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DryEvaluations {
  /**
   * The annotation of an AdmissionCheck that names the Service of its controller, as {@code
   * NAMESPACE/NAME:PORT}. Users send their tokens there, so it is written by who may write
   * AdmissionChecks, and not by controllers, which write their status only.
   */
  public static final String ANNOTATION = "kueue4j.io/dry-evaluations";

  /** What the path of a request begins with. */
  public static final String PATH = "/dry-evaluations/v1/";

  /** The largest Workload that is asked about, in bytes of JSON: as an object it is much larger. */
  public static final int LARGEST_WORKLOAD = 131_072;

  private static final Pattern SERVICE =
      Pattern.compile("([a-z0-9-]{1,63})/([a-z0-9-]{1,63}):([a-z0-9-]{1,63})");

  private DryEvaluations() {}

  /** Where a check is asked about a Workload of the namespace. */
  public static String path(String namespace, String check) {
    return PATH + namespace + "/" + check;
  }

  /**
   * A Service.
   *
   * @param port its name or number
   */
  public record Service(String namespace, String name, String port) {}

  /**
   * The Service that the AdmissionCheck names; empty if it names none.
   *
   * @throws IllegalArgumentException if it names what can't be one
   */
  public static Optional<Service> service(AdmissionCheck check) {
    String said = Metadata.annotations(check).getOrDefault(ANNOTATION, "");
    if (said.isEmpty()) {
      return Optional.empty();
    }
    Matcher parts = SERVICE.matcher(said);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "metadata.annotations['%s'] is '%s'; write NAMESPACE/NAME:PORT of a Service"
              .formatted(ANNOTATION, said));
    }
    return Optional.of(new Service(parts.group(1), parts.group(2), parts.group(3)));
  }
}
