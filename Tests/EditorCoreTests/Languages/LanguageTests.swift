import EditorProtocol
import Testing

@testable import EditorCore

@Suite struct LanguageTests {
  private func language(_ path: String?, _ text: [String] = []) -> String? {
    LanguageList.known.name(ofFile: path, first: text, last: text)
  }

  @Test func theTableMakesSense() {
    let names = LanguageList.known.names
    #expect(
      names.count >= 100 && Set(names).count == names.count
        && names == names.sorted { $0.lowercased() < $1.lowercased() })
    for name in names {
      let language = LanguageList.known.language(named: name)
      #expect(language?.name == name)
      #expect(
        DedentingWords.all.isSuperset(of: language?.rules.backWords ?? []), "front ends draw \(name) as it is typed")
    }
    let fields: Set = [
      "files", "run", "mode", "line", "block", "indent", "open", "first", "has", "leave", "back", "nocase", "quotes",
      "prose",
      "recipes",
    ]
    for line in LanguageTable.text.split(separator: "\n") {
      for field in line.drop(while: { $0 != ":" }).dropFirst().split(separator: " ") {
        #expect(fields.contains(String(field.prefix { $0 != "=" })), "\(line)")
      }
    }
  }

  @Test(arguments: [
    ("a.swift", "Swift"), ("/x/Makefile", "Makefile"), ("Makefile.am", "Makefile"), ("a.c", "C"), ("a.b.py", "Python"),
    ("CMakeLists.txt", "CMake"), ("notes.txt", nil), (".bashrc", "Bash"), ("Dockerfile.test", "Dockerfile"),
    ("go.mod", "Go Module"),
    ("x.html.erb", "HTML"), ("no", nil), ("a.", nil), ("", nil), ("é.rs", "Rust"), ("tsconfig.json", "JSONC"),
  ])
  func byName(_ path: String, _ expected: String?) { #expect(language(path) == expected) }

  @Test(arguments: [
    ("#!/bin/sh", "Bash"), ("#!/usr/bin/env python3", "Python"), ("#!/usr/bin/python3.12", "Python"),
    ("#! /usr/bin/env -S node --flag", "JavaScript"), ("#!/usr/bin/env A=1 ruby", "Ruby"), ("#!", nil),
    ("#!/bin/unknown", nil),
    ("# -*- mode: ruby -*-", "Ruby"), ("// -*- C++ -*-", "C++"), ("# vim: set ft=make :", "Makefile"),
    ("/* vim: filetype=go */", "Go"), ("-*- coding: utf-8; mode: python -*-", "Python"), ("vim: ts=4", nil),
    ("-*-", nil),
    ("text", nil),
  ])
  func byText(_ line: String, _ expected: String?) {
    #expect(language(nil, [line]) == expected)
    #expect(language("a.rs", [line]) == "Rust", "the name comes first")
  }

  @Test func aModeLineComesBeforeTheInterpreter() {
    #expect(language("x", ["#!/bin/sh", "# vim: ft=tcl"]) == "Tcl")
    #expect(language("x", ["", "#!/bin/sh"]) == nil, "not in the first line")
  }

  @Test func linesAtBothEndsAreLookedAt() {
    let (first, last) = ModeLine.lines(of: "1\n2\n3\n4\n5\n6\n7")
    #expect(first == ["1", "2", "3", "4", "5"] && last == ["3", "4", "5", "6", "7"])
    #expect(ModeLine.lines(of: "").first == [""])
  }

  @Test func commentsAndIndentationAreRead() {
    let go = LanguageList.known.language(named: "Go")
    #expect(go?.lineComment == "//" && go?.blockComment == .init(open: "/*", close: "*/"))
    #expect(go?.settings == ["translate_tabs_to_spaces": false])
    #expect(LanguageList.known.language(named: "Ruby")?.blockComment == .init(open: "=begin", close: "=end"))
    #expect(LanguageList.known.language(named: "HTML")?.lineComment == nil)
    #expect(LanguageList.known.language(named: "YAML")?.settings["tab_size"] == 2)
  }
}
