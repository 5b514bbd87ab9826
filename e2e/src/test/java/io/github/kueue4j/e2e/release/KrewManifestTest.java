// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The manifest by which krew installs {@code kubectl kueue4j}, as a release makes it. */
class KrewManifestTest {
  private static final String URI = "https://host.example/v1.2.3/kueue4j-1.2.3.tar.gz";

  @TempDir private Path folder;

  private record Outcome(int status, String out, String err) {}

  @Test
  void isWhatKrewTakes() throws Exception {
    Path archive = Files.writeString(folder.resolve("kueue4j-1.2.3.tar.gz"), "an archive");

    Outcome rendered = render(archive.toString(), URI);

    assertThat(rendered.status()).as(rendered.err()).isZero();
    assertThat(rendered.out()).doesNotContain("@");
    Map<?, ?> manifest = new Yaml(new SafeConstructor(new LoaderOptions())).load(rendered.out());
    assertThat(manifest.get("apiVersion"))
        .isEqualTo("krew.googlecontainertools.github.com/v1alpha2");
    assertThat(manifest.get("kind")).isEqualTo("Plugin");
    assertThat(map(manifest.get("metadata")).get("name")).isEqualTo("kueue4j");
    Map<?, ?> spec = map(manifest.get("spec"));
    assertThat(spec.get("version")).isEqualTo("v1.2.3");
    assertThat((String) spec.get("shortDescription")).isNotBlank().hasSizeLessThanOrEqualTo(50);
    assertThat((String) spec.get("description")).isNotBlank();
    assertThat((String) spec.get("homepage")).startsWith("https://");
    Map<?, ?> platform = map(((List<?>) spec.get("platforms")).getFirst());
    assertThat(platform.get("uri")).isEqualTo(URI);
    assertThat(platform.get("sha256")).isEqualTo(sha256(archive));
    assertThat(platform.get("bin")).isEqualTo("bin/kubectl-kueue4j");
    assertThat(platform.get("files"))
        .isEqualTo(List.of(Map.of("from", "kueue4j-1.2.3/*", "to", ".")));
    assertThat(map(platform.get("selector")).keySet()).asString().isEqualTo("[matchExpressions]");
  }

  /** The folder in the archive, and the program in it, are those of the distribution. */
  @Test
  void namesWhatIsInTheArchive() throws IOException {
    Path cli = Checkout.root().resolve("cli/src/distribution");
    assertThat(Files.readString(cli.resolve("archive.xml")))
        .contains("<baseDirectory>kueue4j-${project.version}</baseDirectory>", "tar.gz");
    assertThat(cli.resolve("bin/kubectl-kueue4j")).isExecutable();
  }

  @Test
  void saysWhatItNeeds() throws Exception {
    Outcome refused = render(folder.resolve("no-archive").toString(), URI);

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).startsWith("usage: config/krew.sh ARCHIVE URI");
  }

  private static Map<?, ?> map(Object value) {
    return (Map<?, ?>) value;
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  private Outcome render(String... arguments) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(Checkout.root().resolve("config/krew.sh").toString()),
                        Stream.of(arguments))
                    .toList())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Outcome(
        process.waitFor(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
