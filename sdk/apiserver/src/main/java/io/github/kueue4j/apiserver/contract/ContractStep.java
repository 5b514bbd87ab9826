// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One request of the contract and what every API server answers to it.
 *
 * @param name says what the step shows
 * @param method HTTP method
 * @param path path and query, may hold {@code ${variables}}
 * @param headers to send, Content-Type included
 * @param body to send, null for none
 * @param status the expected HTTP status
 * @param answer what the answer's body holds at least, null if only the status counts: objects
 *     match if each of their fields does, lists element by element; a text {@code *} matches
 *     anything that is there, a text beginning with {@code ~} what contains the rest, a null what
 *     is absent
 * @param save variables to set from dotted paths of the answer's body
 * @param eventually whether the answer may take a moment (garbage collection)
 * @param sinceMinor the 32 of Kubernetes 1.32 if older servers answer otherwise, 0 if none does
 */
@API(status = API.Status.EXPERIMENTAL)
public record ContractStep(
    String name,
    String method,
    String path,
    Map<String, String> headers,
    @Nullable String body,
    int status,
    @Nullable JsonNode answer,
    Map<String, String> save,
    boolean eventually,
    int sinceMinor) {
  public ContractStep {
    headers = Map.copyOf(headers);
    save = Map.copyOf(save);
  }
}
