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
package io.github.kueue4j.testkit.contract;

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
    boolean eventually) {
  public ContractStep {
    headers = Map.copyOf(headers);
    save = Map.copyOf(save);
  }
}
