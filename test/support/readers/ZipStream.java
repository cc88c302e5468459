// Unpacks the zip at standard input into the folder `out`, as a program does that reads it from a connection.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

class ZipStream {
  public static void main(String[] args) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(System.in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = Path.of("out", entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
  }
}
