#define TOML_EXCEPTIONS 0
#include "CTOML.h"

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

}  // namespace

ctoml_result ctoml_read(const char *text, size_t count) {
  auto result = toml::parse(std::string_view{text, count});
  if (result) return {copy(json(result.table())), 0};
  const auto &error = result.error();
  return {copy(error.description()), error.source().begin.line};
}
