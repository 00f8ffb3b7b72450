import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Symbols that would touch")
struct ClusterTests {
  @Test(
    "They are a count where less than two units are between them",
    arguments: [
      ([], []), ([5], [1]), ([0, 12], [1, 1]), ([0, 11.9], [2]), ([0, 1, 2, 60], [3, 1]), ([0, 60, 61], [1, 2]),
      ([0, 11, 24, 36], [2, 1, 1]), ([0, 11, 22, 33], [3, 1]), ([0, 12, 22], [3]), ([0, 12, 23], [1, 2]),
    ] as [([Double], [Int])])
  func counts(positions: [Double], counts: [Int]) {
    let clusters = SVGCluster.all(positions)
    #expect(clusters.map(\.count) == counts)
    var rest = positions[...]
    for cluster in clusters {
      let own = rest.prefix(cluster.count)
      rest = rest.dropFirst(cluster.count)
      #expect(cluster.middle == ((own.first ?? 0) + (own.last ?? 0)) / 2)
      #expect(
        cluster.width == (cluster.count == 1 ? 10 : SVGFont.width("\(cluster.count)", SVGFont.small) + 12))
    }
    for (left, right) in zip(clusters, clusters.dropFirst()) {
      #expect(left.middle + left.width / 2 + 2 <= right.middle - right.width / 2)
    }
  }
}
