import EditorProtocol

/// What the editor proposes by itself, in the bottom line. Whoever types goes on typing: its keys are none that put in text;
/// those that destroy something are none of a command either.
struct Offer {
  static let restartKey = Key.control("r")

  enum Subject: Equatable {
    /// Text that a crash has left behind, by its view and its name.
    case recovery(ViewID, String)
    case restart
    /// What stands in the way of a save, by the path of the file.
    case save(String)
  }

  struct Choice {
    var key: Key
    /// Beside the key in the bottom line.
    var label: String
    var run: () -> Void
  }

  var subject: Subject
  var text: String
  /// The one by Esc does nothing that could not be done later.
  var choices: [Choice]
  /// It has been drawn where its keys can be read.
  var wasSeen = false
}

/// What the bottom line tells, and the keys that do something about it.
struct Notice: Equatable {
  struct KeyLabel: Equatable {
    var key: String
    var label: String
  }

  var text: String
  var keys: [KeyLabel] = []
}

extension Editor {
  /// The offer that is in sight: what is in the bottom line in its place takes no key for it.
  var shownOffer: Offer? {
    guard mode == nil, !keys.hasChord, let first = notices.offers.first else { return nil }
    return (gate.isWaitShown ? first.subject == .restart : notices.message?.namesOffer ?? true) ? first : nil
  }

  /// To be called when the frame is drawn.
  func noteSeenOffer() {
    if shownOffer != nil { notices.offers[0].wasSeen = true }
  }

  /// What was typed before the offer was seen (it may have been held since) is not meant for it.
  /// - Returns: Whether the key was one of the offer's.
  func answerOffer(with key: Key) -> Bool {
    guard !gate.isAdvancing, let offer = shownOffer, offer.wasSeen,
      let choice = offer.choices.first(where: { $0.key == key })
    else {
      return false
    }
    clearMessage()
    notices.offers.removeFirst()
    screen.needsDisplay = true
    choice.run()
    return true
  }
}

extension Offer {
  var notice: Notice {
    Notice(text: text, keys: choices.map { Notice.KeyLabel(key: $0.key.label, label: $0.label) })
  }
}
