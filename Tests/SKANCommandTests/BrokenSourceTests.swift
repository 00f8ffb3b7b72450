import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// Inputs that end in an error of the disk behind what could be read.
@Suite("A source that breaks")
struct BrokenSourceTests {
  private static let head = "device,time,name\na,1767225600,install\n"
  private static let list = "{\"op\":\"register\",\"at\":1767225600}\n"

  private func world() throws -> World {
    let world = try World.withModels()
    world["model.json"] = world["mixed.json"]
    world["short.csv"] = Self.head
    // More than is read before the columns are looked at.
    world["long.csv"] = Self.head + String(repeating: "a,1767225601,x\n", count: 100_000)
    world["list.jsonl"] = Self.list
    world["received.jsonl"] = ""
    world["part.json"] = ""
    world["postback.json"] = #"{"version":"4.0","ad-network-id":"com.example","transaction-id":"a"}"#
    try world.addCapture("urls.txt")
    world.set {
      $0.streams["pipe"] = [String(Self.list.dropLast())]
      $0.input = Self.list
      $0.breaks = ["short.csv", "long.csv", "list.jsonl", "received.jsonl", "part.json", "urls.txt", "pipe", "-"]
    }
    return world
  }

  @Test(
    "is named with the system's reason, and nothing else is printed",
    arguments: [
      ("import --quiet --check short.csv", "short.csv"), ("import --quiet --check long.csv", "long.csv"),
      ("import --quiet -o out.jsonl long.csv", "long.csv"), ("backtest --model model.json short.csv", "short.csv"),
      ("backtest --model model.json long.csv", "long.csv"),
      ("backtest --model model.json --grouped long.csv", "long.csv"),
      ("backtest --model model.json list.jsonl", "list.jsonl"),
      ("backtest --model model.json --grouped pipe", "pipe"), ("backtest --merge part.json", "part.json"),
      ("timeline list.jsonl", "list.jsonl"), ("timeline pipe", "pipe"), ("check urls.txt", "urls.txt"),
      ("report received.jsonl", "received.jsonl"), ("receive --into received.jsonl postback.json", "received.jsonl"),
      ("replay -q list.jsonl", "list.jsonl"), ("replay -q pipe", "pipe"),
    ])
  func named(line: String, file: String) throws {
    let run = try world().run(line)
    let guess = "skan: \(file): read with preset plain, by its columns\n"
    #expect(run.code == .noInput && run.out.isEmpty && run.changes.isEmpty)
    #expect(run.err.replacing(guess, with: "") == "skan: cannot read \(file): Input/output error\n")
  }

  @Test("Standard input is called that")
  func standardInput() throws {
    for line in ["timeline -", "replay -q -", "backtest --model model.json -"] {
      let run = try world().run(line)
      #expect(run.code == .noInput && run.out.isEmpty, "\(line)")
      #expect(run.err == "skan: cannot read standard input: Input/output error\n", "\(line)")
    }
  }
}
