// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import io.github.kueue4j.apiserver.cel.RequestAuthorizer.Question;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Kubernetes' authorizer library, for policies: {@code
 * authorizer.group(g).resource(r).name(n).check(verb).allowed()} and the rest. Rules of resources
 * have no variable of its types.
 */
@API(status = API.Status.INTERNAL)
public final class AuthorizerFunctions {

  /** The type of the variable {@code authorizer}. */
  public static final CelType AUTHORIZER = OpaqueType.create("kubernetes.authorization.Authorizer");

  /** The type of the variable {@code authorizer.requestResource}. */
  public static final CelType RESOURCE_CHECK =
      OpaqueType.create("kubernetes.authorization.ResourceCheck");

  private static final CelType PATH_CHECK = OpaqueType.create("kubernetes.authorization.PathCheck");
  private static final CelType GROUP_CHECK =
      OpaqueType.create("kubernetes.authorization.GroupCheck");
  private static final CelType DECISION = OpaqueType.create("kubernetes.authorization.Decision");

  private static final Argument TEXT = new Argument(SimpleType.STRING, String.class);
  private static final Argument SUBJECT = new Argument(AUTHORIZER, RequestAuthorizer.class);
  private static final Argument PATH = new Argument(PATH_CHECK, PathCheck.class);
  private static final Argument GROUP = new Argument(GROUP_CHECK, GroupCheck.class);
  private static final Argument RESOURCE = new Argument(RESOURCE_CHECK, ResourceCheck.class);
  private static final Argument ANSWER = new Argument(DECISION, Decision.class);

  private record PathCheck(RequestAuthorizer authorizer, Question question) {}

  private record GroupCheck(RequestAuthorizer authorizer, String group) {}

  /**
   * A question about a resource that lacks its verb.
   *
   * @param authorizer who is asked
   * @param question what is asked
   */
  public record ResourceCheck(RequestAuthorizer authorizer, Question question) {}

  private record Decision(boolean allowed) {}

  /** Adds what a question names. */
  @Immutable
  private interface Refinement {
    Question refine(Question question, String text);
  }

  private AuthorizerFunctions() {}

  static void addTo(FunctionSet set) {
    set.member(
        "path",
        "authorizer_path",
        PATH_CHECK,
        List.of(SUBJECT, TEXT),
        a -> new PathCheck((RequestAuthorizer) a[0], Question.path((String) a[1])));
    set.member(
        "group",
        "authorizer_group",
        GROUP_CHECK,
        List.of(SUBJECT, TEXT),
        a -> new GroupCheck((RequestAuthorizer) a[0], (String) a[1]));
    set.member(
        "serviceAccount",
        "authorizer_serviceaccount",
        AUTHORIZER,
        List.of(SUBJECT, TEXT, TEXT),
        a -> ((RequestAuthorizer) a[0]).serviceAccount((String) a[1], (String) a[2]));
    set.member(
        "resource",
        "groupcheck_resource",
        RESOURCE_CHECK,
        List.of(GROUP, TEXT),
        a -> {
          GroupCheck group = (GroupCheck) a[0];
          return new ResourceCheck(
              group.authorizer(), Question.resource(group.group(), (String) a[1]));
        });
    refine(set, "subresource", Question::withSubresource);
    refine(set, "namespace", Question::withNamespace);
    refine(set, "name", Question::withName);
    set.member(
        "check",
        "resourcecheck_check",
        DECISION,
        List.of(RESOURCE, TEXT),
        a -> {
          ResourceCheck check = (ResourceCheck) a[0];
          return decide(check.authorizer(), check.question(), (String) a[1]);
        });
    set.member(
        "check",
        "pathcheck_check",
        DECISION,
        List.of(PATH, TEXT),
        a -> {
          PathCheck check = (PathCheck) a[0];
          return decide(check.authorizer(), check.question(), (String) a[1]);
        });
    set.member(
        "allowed",
        "decision_allowed",
        SimpleType.BOOL,
        List.of(ANSWER),
        a -> ((Decision) a[0]).allowed());
    set.member("reason", "decision_reason", SimpleType.STRING, List.of(ANSWER), a -> "");
    set.member("errored", "decision_errored", SimpleType.BOOL, List.of(ANSWER), a -> false);
    set.member("error", "decision_error", SimpleType.STRING, List.of(ANSWER), a -> "");
  }

  private static void refine(FunctionSet set, String name, Refinement refinement) {
    set.member(
        name,
        "resourcecheck_" + name,
        RESOURCE_CHECK,
        List.of(RESOURCE, TEXT),
        a -> {
          ResourceCheck check = (ResourceCheck) a[0];
          return new ResourceCheck(
              check.authorizer(), refinement.refine(check.question(), (String) a[1]));
        });
  }

  private static Decision decide(RequestAuthorizer authorizer, Question question, String verb) {
    return new Decision(authorizer.allows(question.withVerb(verb)));
  }
}
