import SKANBase
import Testing

@Suite("A CSV table with a header")
struct CSVTableTests {
  private static func read(_ text: String) -> (rows: [String], notes: [String], further: Int) {
    var table = CSVTable(
      CSVReader(Array(text.utf8)), columns: ["network", "campaign_id", "country"], required: ["network", "campaign_id"])
    var rows: [String] = []
    while let row = table.next() {
      rows.append(["network", "campaign_id", "country"].map { row.text($0) ?? "-" }.joined(separator: " "))
    }
    return (rows, table.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" }, table.furtherNotes)
  }

  @Test(
    "Fields by their columns, in any order, without blanks around them",
    arguments: [
      ("network,campaign_id\na,1\n", ["a 1 -"]),
      ("campaign_id,country,network\n1,,a\n2, DE ,\"b \"", ["a 1 -", "b 2 DE"]),
      ("network,campaign_id\n", []),
    ])
  func rows(text: String, expected: [String]) {
    #expect(Self.read(text).rows == expected && Self.read(text).notes.isEmpty)
  }

  @Test(
    "What is wrong",
    arguments: [
      ("", ["1:1: it is empty; its first line names the columns: network,campaign_id,country"]),
      ("network;campaign_id\na;1", ["1:1: the columns are separated by \";\": save the table with commas"]),
      ("network\tcampaign_id\na\t1", ["1:1: the columns are separated by tabs: save the table with commas"]),
      (
        "Network,campaing_id,,x\na,1,2,3\n",
        [
          "1:1: there is no column Network; did you mean network?",
          "1:9: there is no column campaing_id; did you mean campaign_id?",
          "1:21: a column has no name; there are network, campaign_id, country",
          "1:22: there is no column x; there are network, campaign_id, country",
          "1:1: the column network is missing", "1:1: the column campaign_id is missing",
        ]
      ),
      ("network,campaign_id,network\n", ["1:21: the column network is there twice"]),
      (
        "network,campaign_id\na\nb,1,2\n\"c\"d,1\ne,2\n",
        [
          "2:1: this row has 1 fields, the header has 2", "3:5: this row has 3 fields, the header has 2",
          "4:4: a comma must follow the quote that ends a field",
        ]
      ),
    ])
  func problems(text: String, expected: [String]) { #expect(Self.read(text).notes == expected) }

  @Test("Rows that are right come beside those that are wrong, of whose problems the first are kept")
  func many() {
    let (rows, notes, further) = Self.read("network,campaign_id\n" + String(repeating: "a\n", count: 105) + "b,2\n")
    #expect(rows == ["b 2 -"] && notes.count == 100 && further == 5)
  }
}
