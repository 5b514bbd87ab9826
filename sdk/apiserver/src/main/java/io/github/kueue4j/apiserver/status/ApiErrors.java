// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.status;

import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.status.ApiException.Details;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The refusals of the Kubernetes API by name. Texts follow the real server's, because clients and
 * people search for them.
 */
@API(status = API.Status.INTERNAL)
public final class ApiErrors {
  private ApiErrors() {}

  public static ApiException badRequest(String message) {
    return plain(400, "BadRequest", message);
  }

  public static ApiException unauthorized() {
    return plain(401, "Unauthorized", "Unauthorized");
  }

  /** 404 for an object; {@code resource} is the plural name. */
  public static ApiException notFound(String group, String resource, String name) {
    return about(
        404,
        "NotFound",
        qualified(group, resource) + " \"" + name + "\" not found",
        group,
        resource,
        name);
  }

  /** 404 for a path without a resource. */
  public static ApiException noSuchPath() {
    return plain(404, "NotFound", "the server could not find the requested resource");
  }

  public static ApiException methodNotAllowed(String method) {
    return plain(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource (" + method + ")");
  }

  public static ApiException notAcceptable(String supported) {
    return plain(406, "NotAcceptable", "only the following media types are accepted: " + supported);
  }

  public static ApiException alreadyExists(String group, String resource, String name) {
    return about(
        409,
        "AlreadyExists",
        qualified(group, resource) + " \"" + name + "\" already exists",
        group,
        resource,
        name);
  }

  public static ApiException conflict(
      String group, String resource, String name, String explanation) {
    return about(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s"
            .formatted(qualified(group, resource), name, explanation),
        group,
        resource,
        name);
  }

  /** 409 for a write that was based on an older version of the object. */
  public static ApiException modified(String group, String resource, String name) {
    return conflict(
        group,
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /** 409 for an apply that would change fields of others. */
  public static ApiException applyConflict(String message, List<ApiException.Cause> causes) {
    return new ApiException(409, "Conflict", message, Details.NONE.with(causes));
  }

  /** 410 for a watch from, or a list continuation at, a version that the server has forgotten. */
  public static ApiException expired(String message) {
    return plain(410, "Expired", message);
  }

  public static ApiException tooLarge(long limitBytes) {
    return plain(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limitBytes);
  }

  public static ApiException unsupportedMediaType(String message) {
    return plain(415, "UnsupportedMediaType", message);
  }

  /**
   * 422 with one cause per wrong field.
   *
   * @param kind the kind (not the plural), as the real server puts it
   */
  public static ApiException invalid(
      String group, String kind, String name, List<FieldError> errors) {
    String message =
        qualified(group, kind) + " \"" + name + "\" is invalid: " + FieldError.summary(errors);
    List<ApiException.Cause> causes =
        errors.stream()
            .map(
                error ->
                    new ApiException.Cause(
                        error.errorType().reason(), error.message(), error.field()))
            .toList();
    return new ApiException(422, "Invalid", message, Details.of(group, kind, name).with(causes));
  }

  /** 422 for parameters of a write that don't exist. */
  public static ApiException invalidOptions(String what) {
    return plain(422, "Invalid", "options are invalid: " + what);
  }

  /** 422 for parameters of a patch that don't go together. */
  public static ApiException invalidPatchOptions(String what) {
    return about(
        422,
        "Invalid",
        "PatchOptions.meta.k8s.io \"\" is invalid: " + what,
        "meta.k8s.io",
        "PatchOptions",
        "");
  }

  /** 422 for list or watch parameters that contradict each other. */
  public static ApiException invalidListOptions(String what) {
    return about(
        422,
        "Invalid",
        "ListOptions.meta.k8s.io \"\" is invalid: " + what,
        "meta.k8s.io",
        "ListOptions",
        "");
  }

  /** 504 for a resourceVersion that the server hasn't reached. */
  public static ApiException tooLargeRevision(long wanted, long current) {
    return new ApiException(
        504,
        "Timeout",
        "Timeout: Too large resource version: " + wanted + ", current: " + current,
        Details.NONE
            .with(
                List.of(
                    new ApiException.Cause(
                        "ResourceVersionTooLarge", "Too large resource version", "")))
            .after(1));
  }

  /** 422 for a patch that doesn't fit the object it is for. */
  public static ApiException patchDoesNotFit(String detail) {
    return plain(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request: " + detail);
  }

  /** 403 with one cause. */
  public static ApiException forbidden(
      String group, String resource, String name, String why, List<ApiException.Cause> causes) {
    return new ApiException(
        403,
        "Forbidden",
        qualified(group, resource) + " \"" + name + "\" is forbidden: " + why,
        Details.of(group, resource, name).with(causes));
  }

  /** 403 for a request that the user may not make; {@code why} names the user and the request. */
  public static ApiException notAllowed(String group, String resource, String name, String why) {
    String what =
        resource.isEmpty()
            ? "forbidden: "
            : qualified(group, resource)
                + (name.isEmpty() ? "" : " \"" + name + "\"")
                + " is forbidden: ";
    return about(403, "Forbidden", what + why, group, resource, name);
  }

  public static ApiException internal(String message) {
    return plain(500, "InternalError", "Internal error occurred: " + message);
  }

  /** 500 with this message and no reason. */
  public static ApiException unexpected(String message) {
    return plain(500, "", message);
  }

  /** A refusal with the code, reason and message of the webhook or policy that refused. */
  public static ApiException denied(int code, String reason, String message) {
    return plain(code, reason, message);
  }

  /**
   * The refusal of a policy.
   *
   * @param reason of the Status, empty for the usual one
   */
  public static ApiException deniedByPolicy(
      String group, String resource, String name, String why, String reason) {
    int code =
        switch (reason) {
          case "Forbidden" -> 403;
          case "Unauthorized" -> 401;
          case "RequestEntityTooLarge" -> 413;
          default -> 422;
        };
    return new ApiException(
        code,
        reason.isEmpty() ? "Invalid" : reason,
        qualified(group, resource) + " \"" + name + "\" is forbidden: " + why,
        Details.of(group, resource, name).with(List.of(new ApiException.Cause("", why, ""))));
  }

  /** Parts of the cluster that the request may depend on aren't there yet. */
  public static ApiException starting() {
    return new ApiException(
        503, "ServiceUnavailable", "the cluster is starting; try again", Details.NONE.after(1));
  }

  /** The refusal that the real server gives with this status, for injected faults. */
  public static ApiException forStatus(int status, String group, String resource, String name) {
    return switch (status) {
      case 401 -> unauthorized();
      case 403 ->
          about(
              403,
              "Forbidden",
              qualified(group, resource) + " \"" + name + "\" is forbidden: injected fault",
              group,
              resource,
              name);
      case 404 -> noSuchPath();
      case 409 -> modified(group, resource, name);
      case 410 -> expired("The resourceVersion for the provided watch is too old.");
      case 429 ->
          new ApiException(
              429,
              "TooManyRequests",
              "Too many requests, please try again later.",
              Details.of(group, resource, name).after(1));
      case 500 -> internal("injected fault");
      case 503 ->
          plain(503, "ServiceUnavailable", "the server is currently unable to handle the request");
      case 504 ->
          plain(504, "Timeout", "the server was unable to return a response in the time allotted");
      default -> plain(status, "Unknown", "the request failed with status " + status);
    };
  }

  private static ApiException plain(int code, String reason, String message) {
    return about(code, reason, message, "", "", "");
  }

  private static ApiException about(
      int code, String reason, String message, String group, String kind, String name) {
    return new ApiException(code, reason, message, Details.of(group, kind, name));
  }

  private static String qualified(String group, String resource) {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
