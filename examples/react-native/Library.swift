import Trestle

/// A native module as any other: it does not know over which wire it is called.
@NativeModule actor Library {
  private var books = [Book(title: "Momo", year: 1973), Book(title: "Emil", year: 1929)]

  init() {}

  @Exported let name = "the library"
  @Exported(.sync) nonisolated func shelf(of title: String) -> String { String(title.prefix(1)) }

  @Exported func add(_ book: Book) { books.append(book) }

  @Exported func find(_ title: String) throws -> Book {
    guard let book = books.first(where: { $0.title == title }) else { throw LibraryError.notFound(title: title) }
    return book
  }

  @Exported func all(_ failure: Callback<LibraryError>, _ success: Callback<[Book]>) {
    success(books.sorted { $0.year < $1.year })
  }
}

@Record struct Book {
  var title: String
  var year: Int
}

enum LibraryError: Error {
  case notFound(title: String)
}
