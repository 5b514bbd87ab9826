// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointCheckOptions;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The AdmissionCheck {@code gate}, its HttpCheck of the same name, and its controller. */
record Gate(KueueCluster cluster, FakeEndpoint endpoint) {
  private static final EndpointCheckOptions OPTIONS =
      HttpCheck.defaults()
          .withAddresses(AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8")));

  /** Starts the controller; the HttpCheck has these lines in its spec beside the endpoint. */
  Gate start(String... spec) {
    return start(OPTIONS, usual(), spec);
  }

  /** The same, asking about what runs this often. */
  Gate startAskingEvery(Duration interval, String... spec) {
    return start(OPTIONS.withRecheckReadyEvery(interval), usual(), spec);
  }

  /** The same, with these fields of the endpoint besides. */
  Gate startWith(String fields, String... spec) {
    return start(OPTIONS, usual() + ", " + fields, spec);
  }

  Gate start(AddressRules addresses, String... spec) {
    return start(OPTIONS.withAddresses(addresses), usual(), spec);
  }

  private Gate start(EndpointCheckOptions options, String fields, String... spec) {
    HttpCheck.crds().forEach(cluster::apply);
    cluster.apply(yaml(fields, spec));
    cluster.admissionCheck("gate", "kueue4j.io/http", "checks.kueue4j.io", "HttpCheck", "gate");
    cluster.run(CheckStarter.of(environment -> HttpCheck.controller(environment, options)));
    return this;
  }

  private String usual() {
    return "url: \"" + endpoint.url() + "\", timeout: 5s";
  }

  /** Gives the HttpCheck another spec. */
  void change(String... spec) {
    cluster.apply(yaml(usual(), spec));
  }

  /** An HttpCheck with these fields of its endpoint. */
  static String yaml(String fields, String... spec) {
    return """
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: HttpCheck
    metadata: {name: gate}
    spec:
      endpoint: {%s}
    """
            .formatted(fields)
        + Stream.of(spec).map(line -> "  " + line + "\n").collect(Collectors.joining());
  }
}
