/// The languages that the editor knows without a plugin, one a line: its name, and behind the colon what is said of it.
///
/// `files` are endings of files' names, whole names, or beginnings of names (`Dockerfile.*`). `run` are the programs of a `#!` line, `mode`
/// further names in mode lines. `line` and `block` are the marks of comments. `indent` is a width, or `tabs`; `tabs!` where nothing else
/// works. A line that ends as one of `open` says, begins with a word of `first`, or has one of `has`, opens a block; one that begins with a
/// word of `leave` ends it; a word of `back` first on its line stands a step to the left. `nocase`: words in capitals are the same.
/// `quotes` are what strings stand in. `prose` is text for people: no line of it opens anything.
/// `recipes`: what belongs to a `target: parts` stands a step to the right.
enum LanguageTable {
  static let text = #"""
    Ada: files=.adb,.ads mode=ada line=-- indent=3 open=is,then,loop,begin,else,do,record,declare,( back=end,else,elsif,exception quotes=" nocase
    Agda: files=.agda line=-- block={-,-} indent=2 open=where,(,{ quotes="
    AppleScript: files=.applescript,.scpt run=osascript line=-- block=(*,*) indent=tabs first=on,tell,repeat,try,if back=end,else quotes=" nocase
    Arduino: files=.ino,.pde line=// block=/*,*/ indent=2
    AsciiDoc: files=.adoc,.asciidoc,.asc line=// prose
    Assembly: files=.asm,.s,.S,.nasm mode=nasm,gas line=; indent=tabs
    AWK: files=.awk,.gawk run=awk,gawk,mawk,nawk line=# quotes="
    Bash: files=.sh,.bash,.bashrc,.bash_profile,.bash_login,.bash_logout,.bash_aliases,.profile,.ebuild,PKGBUILD,APKBUILD run=bash,sh,dash,ash,ksh mode=sh,shell,shell-script,ksh line=# open=then,do,else,in,{,( back=fi,done,esac,else,elif
    Batch: files=.bat,.cmd mode=dosbatch line=REM indent=2 open=( quotes=" nocase
    BibTeX: files=.bib line=% indent=2 quotes="
    C: files=.c,.h line=// block=/*,*/
    C#: files=.cs,.csx run=dotnet-script mode=csharp,cs line=// block=/*,*/ indent=4
    C++: files=.cc,.cpp,.cxx,.c++,.hh,.hpp,.hxx,.h++,.ipp,.tpp,.inl,.cppm,.ixx mode=cpp line=// block=/*,*/
    Clojure: files=.clj,.cljs,.cljc,.edn,.bb run=clojure,bb mode=clj line=;; indent=2 quotes="
    CMake: files=CMakeLists.txt,.cmake line=# block=#[[,]] indent=2 first=if,foreach,while,function,macro,else,elseif,block back=endif,endforeach,endwhile,endfunction,endmacro,endblock,else,elseif quotes=" nocase
    COBOL: files=.cob,.cbl,.cpy line=*> indent=4 nocase
    CoffeeScript: files=.coffee,Cakefile run=coffee mode=coffee line=# block=###,### indent=2 open=->,=>,else,then,(,[,{ first=if,unless,for,while,switch,class,when,try,catch back=else,catch,finally
    Common Lisp: files=.lisp,.lsp,.cl,.asd run=sbcl,clisp,ecl mode=lisp line=;; block=#|,|# indent=2 quotes="
    Crystal: files=.cr run=crystal line=# indent=2 open=do,then,else,ensure,{,(,[ first=def,class,module,struct,enum,if,unless,while,until,case,begin,macro,lib back=end,else,elsif,ensure,rescue,when
    CSS: files=.css block=/*,*/ indent=2
    CSV: files=.csv,.tsv,.psv indent=tabs prose
    CUDA: files=.cu,.cuh line=// block=/*,*/
    D: files=.d,.di run=rdmd line=// block=/*,*/
    Dart: files=.dart run=dart line=// block=/*,*/ indent=2
    Diff: files=.diff,.patch,.rej prose
    Dockerfile: files=Dockerfile,Containerfile,Dockerfile.*,Containerfile.*,.dockerfile mode=docker line=# quotes="
    Dotenv: files=.env,.env.*,.envrc line=#
    EditorConfig: files=.editorconfig line=#
    Elixir: files=.ex,.exs,mix.lock run=elixir line=# indent=2 open=do,else,after,rescue,catch,->,fn,(,[,{ back=end,else,after,rescue,catch
    Elm: files=.elm line=-- block={-,-} indent=4 open=of,let,=,->,in,( back=in quotes="
    Emacs Lisp: files=.el,.emacs mode=emacs-lisp,elisp line=;; indent=2 quotes="
    Erlang: files=.erl,.hrl,rebar.config,.app.src run=escript line=% indent=4 open=->,of,begin,receive,after,(,[,{ back=end,after,of quotes="
    F#: files=.fs,.fsi,.fsx run=fsharpi mode=fsharp line=// block=(*,*) indent=4 open==,->,then,else,do,with,(,[,{ back=else,elif,with,finally quotes="
    Fish: files=.fish run=fish line=# indent=4 first=if,for,while,function,switch,case,begin,else back=end,else,case
    Forth: files=.fth,.4th,.forth run=gforth line=\ block=(,) indent=2 quotes="
    Fortran: files=.f90,.f95,.f03,.f08,.f,.for line=! indent=2 open=then,else,do,contains first=program,module,subroutine,function,do,select,interface,type,where back=end,endif,enddo,else,elseif,contains nocase
    GDScript: files=.gd mode=gdscript line=# indent=tabs open=:,(,[,{ leave=return,pass,break,continue back=else,elif
    Git Commit: files=COMMIT_EDITMSG,MERGE_MSG,TAG_EDITMSG,git-rebase-todo line=# prose
    Git Config: files=.gitconfig,.gitmodules line=# indent=tabs quotes="
    Git Ignore: files=.gitignore,.dockerignore,.npmignore,.ignore,.gitattributes line=#
    Gleam: files=.gleam line=// indent=2 quotes="
    GLSL: files=.glsl,.vert,.frag,.geom,.comp,.tesc,.tese line=// block=/*,*/
    Go: files=.go run=gorun mode=golang line=// block=/*,*/ indent=tabs quotes="`'
    Go Module: files=go.mod,go.work line=// indent=tabs
    GraphQL: files=.graphql,.gql,.graphqls line=# indent=2 quotes="
    Groovy: files=.groovy,.gradle,.gvy,Jenkinsfile run=groovy line=// block=/*,*/ indent=4
    Handlebars: files=.hbs,.handlebars,.mustache block={{!--,--}} indent=2
    Haskell: files=.hs,.hsc,.lhs run=runhaskell,runghc line=-- block={-,-} indent=2 open=where,do,of,=,then,else,let,->,(,[,{ back=else,in,then quotes="
    Haxe: files=.hx line=// block=/*,*/ indent=tabs
    HCL: files=.tf,.tfvars,.hcl,.nomad mode=terraform line=# block=/*,*/ indent=2 quotes="
    HLSL: files=.hlsl,.fx,.hlsli line=// block=/*,*/
    HTML: files=.html,.htm,.xhtml,.html.erb,.ejs,.jinja,.j2 block=<!--,--> indent=2
    Idris: files=.idr line=-- block={-,-} indent=2 open=where,do,of,=,( quotes="
    INI: files=.ini,.cfg,.conf,.desktop,.service,.timer,.socket,.mount,.cnf,.inf,.properties mode=dosini,conf line=# indent=4
    Java: files=.java run=java line=// block=/*,*/ indent=4
    JavaScript: files=.js,.mjs,.cjs,.jsx,Jakefile run=node,deno,bun,nodejs,trestle mode=js,javascript,jsx line=// block=/*,*/ quotes="'`
    JSON: files=.json,.jsonl,.ndjson,.geojson,.webmanifest,.ipynb,.har,.babelrc,composer.lock,.swiftformat,Package.resolved indent=2 quotes="
    JSONC: files=.jsonc,.json5,tsconfig.json,jsconfig.json,.eslintrc line=// block=/*,*/ indent=2 quotes="
    Julia: files=.jl run=julia line=# block=#=,=# indent=4 open=do,begin,else,let,(,[,{ first=function,if,for,while,module,struct,mutable,try,macro,let,begin,quote back=end,else,elseif,catch,finally quotes="
    Just: files=justfile,Justfile,.just run=just line=# indent=4 open=: recipes
    Kotlin: files=.kt,.kts run=kotlin line=// block=/*,*/ indent=4
    LaTeX: files=.tex,.sty,.cls,.ltx,.dtx mode=tex,latex line=% indent=2 quotes= prose
    Less: files=.less line=// block=/*,*/ indent=2
    Log: files=.log prose
    Lua: files=.lua,.rockspec run=lua,luajit,lua5.1,lua5.3,lua5.4 line=-- block=--[[,]] indent=2 open=then,do,else,repeat,{,(,[ has=function back=end,else,elseif,until
    Makefile: files=Makefile,makefile,GNUmakefile,.mk,.mak,Makefile.*,Kbuild run=make mode=make,makefile-gmake line=# indent=tabs! open=: recipes
    Man Page: files=.1,.2,.3,.4,.5,.6,.7,.8,.roff,.man,.mdoc mode=nroff,groff line=.\" prose
    Markdown: files=.md,.markdown,.mdown,.mkd,.mdx,.rmd mode=gfm block=<!--,--> prose
    MATLAB: files=.mlx,.matlab mode=octave line=% block=%{,%} indent=4 first=if,for,while,function,switch,try,parfor,classdef,methods,properties,else,case back=end,else,elseif,case,otherwise,catch
    Meson: files=meson.build,meson_options.txt,meson.options line=# indent=2 first=if,foreach,else,elif back=endif,endforeach,else,elif quotes='
    Mojo: files=.mojo,.🔥 line=# indent=4 open=:,(,[,{ leave=return,pass,break,continue,raise back=else,elif,except,finally
    Nginx: files=nginx.conf,.nginx mode=nginx line=# indent=4
    Nim: files=.nim,.nims,.nimble run=nim line=# block=#[,]# indent=2 open=:,=,(,[,{ leave=return,break,continue,raise,discard back=else,elif,except,finally,of quotes="
    Ninja: files=.ninja line=# indent=2
    Nix: files=.nix run=nix-shell line=# block=/*,*/ indent=2 quotes="
    Objective-C: files=.m,.mm mode=objc line=// block=/*,*/ indent=4
    OCaml: files=.ml,.mli,.mll,.mly,dune,dune-project run=ocaml block=(*,*) indent=2 open==,->,then,else,begin,do,with,struct,sig,in,(,[,{ back=end,else,done,with quotes="
    Odin: files=.odin line=// block=/*,*/ indent=tabs
    OpenSCAD: files=.scad line=// block=/*,*/
    Org: files=.org line=# prose
    Pascal: files=.pas,.pp,.lpr,.dpr,.dpk,.inc mode=delphi line=// block={,} indent=2 open=begin,then,else,do,of,record,try,repeat,var,const,type,( back=end,else,until,except,finally quotes=' nocase
    Perl: files=.pl,.pm,.pod,.psgi,cpanfile run=perl mode=cperl line=# indent=4
    PHP: files=.php,.phtml,.php3,.php5,.phps run=php line=// block=/*,*/ indent=4
    Pony: files=.pony line=// block=/*,*/ indent=2 open==>,then,else,do,( back=end,else,elseif quotes="
    PowerShell: files=.ps1,.psm1,.psd1 run=pwsh,powershell line=# block=<#,#> indent=4 nocase
    Prolog: files=.pro,.prolog run=swipl line=% block=/*,*/ indent=4 open=:-,->,(,[,{
    Protocol Buffers: files=.proto mode=protobuf line=// block=/*,*/ indent=2
    PureScript: files=.purs line=-- block={-,-} indent=2 open=where,do,of,=,then,else,->,(,[,{ back=else,in,then quotes="
    Python: files=.py,.pyi,.pyw,.py3,SConstruct,SConscript,wscript run=python,python2,python3,pypy,pypy3,uv mode=py line=# indent=4 open=:,(,[,{ leave=return,pass,break,continue,raise back=else,elif,except,finally
    QML: files=.qml line=// block=/*,*/ indent=4
    R: files=.r,.R,.Rprofile run=Rscript mode=ess line=# indent=2
    Racket: files=.rkt,.rktl run=racket line=;; block=#|,|# indent=2 quotes="
    Raku: files=.raku,.rakumod,.p6,.pm6 run=raku,perl6 line=# indent=4
    ReasonML: files=.re,.rei,.res,.resi line=// block=/*,*/ indent=2 quotes="
    reStructuredText: files=.rst,.rest mode=rst line=.. indent=3 prose
    RPM Spec: files=.spec mode=rpm-spec line=#
    Ruby: files=.rb,.rake,.gemspec,.ru,Rakefile,Gemfile,Vagrantfile,Podfile,Fastfile,Brewfile,Guardfile,.irbrc run=ruby,jruby,rake line=# block==begin,=end indent=2 open=do,then,else,ensure,|,{,(,[ first=def,class,module,if,unless,while,until,case,begin,rescue,when,elsif back=end,else,elsif,ensure,rescue
    Rust: files=.rs,.rs.in run=rust-script,cargo line=// block=/*,*/ indent=4 quotes="
    Sass: files=.sass line=// indent=2
    Scala: files=.scala,.sbt,.sc run=scala line=// block=/*,*/ indent=2 open==,=>,then,else,do,:,{,(,[ back=else
    Scheme: files=.scm,.ss,.sld,.sps run=guile,chicken-csi,csi line=;; block=#|,|# indent=2 quotes="
    SCSS: files=.scss line=// block=/*,*/ indent=2
    Smalltalk: files=.st block="," indent=tabs quotes='
    Solidity: files=.sol line=// block=/*,*/ indent=4
    SQL: files=.sql,.ddl,.dml,.psql,.mysql mode=mysql,plsql,sqlite line=-- block=/*,*/ open=begin,then,( back=end,else quotes=' nocase
    Starlark: files=.bzl,.star,BUILD,BUILD.bazel,WORKSPACE,WORKSPACE.bazel,MODULE.bazel,Tiltfile mode=bazel line=# indent=4 open=:,(,[,{ leave=return,pass,break,continue back=else,elif
    Svelte: files=.svelte block=<!--,--> indent=2
    SVG: files=.svg block=<!--,--> indent=2
    Swift: files=.swift,.swiftinterface run=swift line=// block=/*,*/ quotes="
    SystemVerilog: files=.sv,.svh line=// block=/*,*/ indent=2 open=begin,(,{ back=end,endmodule,endcase,endfunction,else quotes="
    Tcl: files=.tcl,.tk,.itcl run=tclsh,wish,expect line=# indent=4 quotes="
    Thrift: files=.thrift line=// block=/*,*/ indent=2
    TOML: files=.toml,Cargo.lock,poetry.lock,Pipfile,uv.lock line=# quotes="
    TypeScript: files=.ts,.mts,.cts,.tsx run=ts-node,tsx mode=ts,tsx line=// block=/*,*/ quotes="'`
    Typst: files=.typ line=// block=/*,*/ indent=2 quotes="
    Vala: files=.vala,.vapi line=// block=/*,*/ indent=tabs
    Verilog: files=.v,.vh line=// block=/*,*/ indent=2 open=begin,(,{ back=end,endmodule,endcase,endfunction,else quotes="
    VHDL: files=.vhd,.vhdl line=-- indent=2 open=is,then,begin,loop,else,( back=end,else,elsif quotes=" nocase
    Vim Script: files=.vim,.vimrc,.gvimrc,.exrc mode=vim line=" indent=2 first=if,for,while,function,function!,try,augroup,else,elseif,def back=endif,endfor,endwhile,endfunction,endtry,else,elseif,catch,finally,enddef quotes='
    Visual Basic: files=.vb,.vbs,.bas,.frm mode=vb,basic line=' indent=4 open=then,else,do first=sub,function,if,for,while,select,class,module,with,try,do,public,private back=end,else,elseif,next,loop,wend quotes=" nocase
    Vue: files=.vue block=<!--,--> indent=2
    WebAssembly: files=.wat,.wast line=;; block=(;,;) indent=2 quotes="
    WGSL: files=.wgsl line=// block=/*,*/ indent=4
    XML: files=.xml,.xsd,.xsl,.xslt,.plist,.rss,.atom,.csproj,.vcxproj,.fsproj,.props,.targets,.xaml,.storyboard,.xib,.wsdl,.kml,.gpx,.glade,.ui,pom.xml mode=nxml block=<!--,--> indent=2 quotes="
    YAML: files=.yaml,.yml,.clang-format,.clang-tidy,.swiftlint.yml,CITATION.cff mode=yml line=# indent=2 open=:,[,{,|,>
    Zig: files=.zig,.zon line=// indent=4 quotes="
    Zsh: files=.zsh,.zshrc,.zshenv,.zprofile,.zlogin,.zsh-theme run=zsh line=# open=then,do,else,in,{,( back=fi,done,esac,else,elif
    """#
}
