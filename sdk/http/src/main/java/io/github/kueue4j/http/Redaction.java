// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import com.google.gson.JsonPrimitive;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.Request;

/**
 * Makes what a server said fit for the operator's log: one short line, without credentials. Struck
 * out are those that were sent to it, in each form in which a page may repeat them, and whatever
 * looks like a credential of others, such as the password of a database in a stack trace.
 *
 * <p>Better too much than too little: a word that is struck out by mistake costs the operator one
 * look at the server, a token in a log costs a new token.
 */
final class Redaction {
  /** What takes the place of a credential. */
  static final String STRUCK = "***";

  /** How much of a text is looked at, in characters; what stands behind that isn't shown. */
  static final int WINDOW = 4 << 10;

  /** Shorter texts occur by chance; striking them out would show where they stand. */
  private static final int SHORTEST = 3;

  /** The length from which a word of a header that isn't Authorization may be a credential. */
  private static final int SHORTEST_WORD = 6;

  /** A credential of a common form that a cut text may end in. */
  private static final int LONGEST_PATTERN = 512;

  /** Headers that a request carries whatever the endpoint, and which hold no secret. */
  private static final Set<String> PUBLIC =
      Set.of(
          "user-agent",
          "accept",
          "accept-encoding",
          "cache-control",
          "content-type",
          "content-length",
          "host");

  private static final String SECRET_WORDS =
      "pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
          + "|account[_-]?key|credentials?|authorization|auth|signature|session(?:[_-]?id)?";

  private static final Pattern SECRET_NAME =
      Pattern.compile("(?:" + SECRET_WORDS + "|key|sig|jwt)", Pattern.CASE_INSENSITIVE);

  /** A pattern, and what is left of what it finds. */
  private record Form(Pattern pattern, String left) {
    static Form of(String pattern, String left) {
      return new Form(Pattern.compile(pattern, Pattern.CASE_INSENSITIVE), left);
    }
  }

  /** A quoted text; loops of groups are bounded, since each turn of one takes stack. */
  private static final String QUOTED =
      "\\\\?\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+){0,200}+\"?|\\\\?'[^'\\\\]*+(?:\\\\.[^'\\\\]*+){0,200}+'?";

  /** A name that says that a credential follows, with what may stand behind it. */
  private static final String NAMED =
      "(?:" + SECRET_WORDS + ")[\\w.-]{0,40}[\"'\\\\\\]]{0,3}\\s{0,8}";

  /** In this order: the later ones would take a part only of what the earlier ones take whole. */
  private static final List<Form> FORMS =
      List.of(
          Form.of(
              "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\\s\\S]*?"
                  + "(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\\z)",
              STRUCK),
          // Tokens that are known by their form.
          Form.of("\\beyJ[\\w-]{5,}(?:\\.[\\w-]*){0,4}", STRUCK),
          Form.of("\\b(?:AKIA|ASIA)[A-Z0-9]{12,}", STRUCK),
          Form.of("\\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|sk-|AIza)[\\w-]{16,}", STRUCK),
          // A user with a password in a URL, such as that of a database.
          Form.of("(://)[^\\s\"'<>]{1,500}@", "$1" + STRUCK + "@"),
          // A scheme of RFC 9110 with what looks like more than a word.
          Form.of(
              "\\b(bearer|basic|negotiate)(?:\\s|%20|\\+)"
                  + "(?=[\\w.~+/=-]{0,200}[0-9=]|[\\w.~+/=-]{20})[\\w.~+/=-]{4,}",
              "$1 " + STRUCK),
          // All of a header that holds several words.
          Form.of(
              "((?:cookie|authorization)[\"'\\\\]{0,3}\\s{0,4}[:=][\\s\\[\"'\\\\]{0,6})[^\\r\\n<\"]{1,4000}",
              "$1" + STRUCK),
          // name: value, name=value, "name": "value", "name": ["value"], name => value.
          Form.of(
              "("
                  + NAMED
                  + "(?::|=>|->|=)[\\s\\[]{0,8})(?:"
                  + QUOTED
                  + "|[^\\s,;&<>\"'}\\]]{1,4000})",
              "$1" + STRUCK),
          // password 'value', as in SQL.
          Form.of("(" + NAMED + ")(?:" + QUOTED + ")", "$1" + STRUCK),
          // The cells of a table of HTML.
          Form.of(
              "(" + NAMED + "(?:[:=]\\s{0,8})?(?:<[^<>]{0,200}>[\\s:=]{0,8}){1,8})[^<]{1,4000}",
              "$1" + STRUCK));

  /** Strikes out what looks like a credential; nothing was sent. */
  static final Redaction OF_FORMS = new Redaction(List.of());

  /** The longest first: a shorter one may be a part of it. */
  private final List<String> sent;

  private Redaction(Collection<String> sent) {
    Set<String> forms = new LinkedHashSet<>();
    sent.forEach(text -> addForms(text, forms));
    this.sent =
        forms.stream()
            .filter(form -> form.length() >= SHORTEST)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** Strikes out what this request carries. */
  static Redaction of(Request request, HttpCall call) {
    Set<String> secrets = new LinkedHashSet<>();
    request
        .headers()
        .forEach(
            header -> {
              if (!PUBLIC.contains(header.getFirst().toLowerCase(Locale.ROOT))) {
                addHeader(header.getFirst(), header.getSecond(), secrets);
              }
            });
    HttpUrl url = request.url();
    secrets.add(url.username());
    secrets.add(url.password());
    for (String name : url.queryParameterNames()) {
      if (SECRET_NAME.matcher(name).find()) {
        url.queryParameterValues(name).stream().filter(Objects::nonNull).forEach(secrets::add);
      }
    }
    call.form().stream()
        .filter(field -> SECRET_NAME.matcher(field.name()).find())
        .forEach(field -> secrets.add(field.value()));
    return new Redaction(secrets);
  }

  private static void addHeader(String name, String value, Set<String> secrets) {
    int shortest = name.equalsIgnoreCase("Authorization") ? SHORTEST : SHORTEST_WORD;
    secrets.add(value.strip());
    for (String word : value.strip().split("[\\s,;]+", -1)) {
      if (word.length() >= shortest) {
        secrets.add(word);
        addUserAndPassword(word, secrets);
      }
    }
  }

  /** Adds the word into which RFC 7617 packs a user and a password. */
  private static void addUserAndPassword(String word, Set<String> secrets) {
    try {
      String both = new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      if (colon >= 0) {
        secrets.add(both);
        secrets.add(both.substring(0, colon));
        secrets.add(both.substring(colon + 1));
      }
    } catch (IllegalArgumentException e) {
      // It is no Base64, and so not that.
    }
  }

  /** As a page may write a text: as it is, in a URL, in HTML, in JSON, in Base64. */
  private static void addForms(String text, Set<String> forms) {
    if (text.isBlank()) {
      return;
    }
    String inUrl = URLEncoder.encode(text, StandardCharsets.UTF_8);
    String quoted = new JsonPrimitive(text).toString();
    String inJson = quoted.substring(1, quoted.length() - 1);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    forms.addAll(
        List.of(
            text,
            inUrl,
            inUrl.replace("+", "%20"),
            inJson,
            inJson.replace("/", "\\/"),
            inJson.replace("=", "\\u003d"),
            html(text),
            html(text).replace("&#39;", "&#x27;"),
            html(text).replace("&#39;", "&#x27;").replace("/", "&#x2F;"),
            Base64.getEncoder().encodeToString(bytes),
            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
    try {
      forms.add(URLDecoder.decode(text, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      // A percent sign that encodes nothing.
    }
  }

  private static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /**
   * The beginning of a text, as {@link Excerpt#of}, without credentials.
   *
   * @param cut whether the text is the beginning of a longer one
   */
  String excerpt(String text, boolean cut) {
    String looked = text.substring(0, Math.min(text.length(), WINDOW));
    String struck = looked;
    for (String secret : sent) {
      struck = struck.replace(secret, STRUCK);
    }
    for (Form form : FORMS) {
      struck = form.pattern().matcher(struck).replaceAll(form.left());
    }
    if (cut || text.length() > WINDOW) {
      // The end may be the first half of a credential, which is not recognized as one.
      int longest = sent.isEmpty() ? 0 : sent.getFirst().length();
      int kept = Math.max(0, struck.length() - Math.max(longest, LONGEST_PATTERN));
      struck = struck.substring(0, kept);
    }
    return Excerpt.of(struck);
  }

  /** The same of a whole text. */
  String excerpt(String text) {
    return excerpt(text, false);
  }

  /** Never the secrets. */
  @Override
  public String toString() {
    return "Redaction";
  }
}
