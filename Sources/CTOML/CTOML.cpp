#include <stdexcept>

// Texts there are on which the parser finds itself in a state that it takes for impossible: that is an error of the text's, and no end of
// the process.
#undef NDEBUG
#define TOML_ASSERT(expression) ((expression) ? static_cast<void>(0) : throw std::logic_error("not understood"))
#define TOML_EXCEPTIONS 0
#include "CTOML.h"

#include <algorithm>
#include <sstream>
#include <string.h>
#include <string_view>
#include <toml++/toml.h>

namespace {

char *copy(std::string_view text) { return strndup(text.data(), text.size()); }

std::string json(const toml::table &table) {
  auto flags = (toml::json_formatter::default_flags | toml::format_flags::quote_infinities_and_nans)
    & ~toml::format_flags::indentation;
  std::ostringstream out;
  out << toml::json_formatter{table, flags};
  return out.str();
}

ctoml_result read(std::string_view text) {
  auto result = toml::parse(text);
  if (result) return {copy(json(result.table())), 0};
  const auto &error = result.error();
  return {copy(error.description()), error.source().begin.line};
}

bool isUnderstood(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
    return true;
  } catch (const std::logic_error &) {
    return false;
  }
}

/* The line that is not understood: the parser reads from the start, so that with it all that follows fails. */
unsigned lineNotUnderstood(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1)) ends.push_back(end + 1);
  auto end = std::partition_point(ends.begin(), ends.end(), [&](size_t end) { return isUnderstood(text.substr(0, end)); });
  return static_cast<unsigned>(end - ends.begin()) + 1;
}

}  // namespace

ctoml_result ctoml_read(const char *bytes, size_t count) {
  std::string_view text{bytes, count};
  try {
    return read(text);
  } catch (const std::logic_error &) {
    return {copy("this is not understood"), lineNotUnderstood(text)};
  } catch (const std::bad_alloc &) {
    return {nullptr, 0};
  }
}
