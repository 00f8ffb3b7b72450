import SKANBase
import SKANModel

/// A campaign's revenue to day 35 by the worths of its postbacks, with an interval.
///
/// The interval has two sources, the worths and the campaign's own users. In each resample, each user pays what some user
/// of the export with the value paid, drawn by the weights of ``Worth/Amount``, times the worth in this resample by the
/// worth; the interval leaves out the 5 % lowest and the 5 % highest sums. Of more than ``mostDrawn`` users with a value,
/// the sum is drawn from a distribution with its mean, variance and skewness (Pearson's type III).
struct CampaignSums {
  /// The most users with a value of whom each is drawn.
  static let mostDrawn = 400

  /// A value's worth with its spread, in millionths.
  struct Item: Equatable {
    let mean: Double
    /// The central moments of the revenue of one user.
    let second: Double
    let third: Double
    let resampled: [Double]
    /// The weights up to each amount, and the amounts.
    let weights: [UInt64]
    let amounts: [Double]
  }

  /// How many postbacks have a value and a share: 1 for those of the campaign alone.
  private var counts: [Key: Double] = [:]

  struct Key: Hashable, Comparable {
    let item: Int
    let share: Double

    static func < (left: Key, right: Key) -> Bool { (left.item, left.share) < (right.item, right.share) }
  }

  mutating func add(_ count: Double, _ key: Key) { counts[key, default: 0] += count }

  struct Result: Equatable {
    var revenue = 0.0
    var low = 0.0
    var high = 0.0
    /// The standard deviations of the revenue because of the worths, and because of the campaign's own users.
    var byWorth = 0.0
    var byUsers = 0.0
  }

  /// The users with a value and a share.
  private struct Users {
    let item: Item
    let share: Double
    let count: Double
    /// The mean, and the standard deviation and the skewness of the sum of all.
    let mean: Double
    let deviation: Double
    let skewness: Double

    init(_ item: Item, share: Double, count: Double) {
      // Rounded to millionths, so that a sum of parts of users that is whole is seen as whole.
      let count = (count * 1e6).rounded() / 1e6
      (self.item, self.share, self.count) = (item, share, count)
      // A user is the campaign's with the probability of the share.
      mean = share * item.mean
      let squares = share * (item.second + item.mean * item.mean)
      let cubes = share * (item.third + 3 * item.mean * item.second + item.mean * item.mean * item.mean)
      let second = max(0, count * (squares - mean * mean))
      deviation = second.squareRoot()
      let third = count * (cubes - 3 * mean * squares + 2 * mean * mean * mean)
      skewness = deviation < 1 ? 0 : third / (second * deviation)
    }

    /// The sum of what the users pay, drawn by chance.
    func draw(_ random: inout SplitMix64) -> Double {
      guard count <= Double(CampaignSums.mostDrawn), count == count.rounded() else {
        // The sum of twelve uniform numbers is close to a normal one.
        var normal = -6.0
        for _ in 0..<12 { normal += Double(random.next() >> 11) * 0x1p-53 }
        return count * mean + deviation * Self.pearson(normal, skewness)
      }
      var sum = 0.0
      for _ in 0..<Int(count) {
        if share < 1, Double(random.next() >> 11) * 0x1p-53 >= share { continue }
        sum += item.amount(at: random.next(through: (item.weights.last ?? 1) - 1))
      }
      return sum
    }

    /// The number of a distribution with mean 0, variance 1 and this skewness at the place of a normal one, by the
    /// approximation of Wilson and Hilferty.
    private static func pearson(_ normal: Double, _ skewness: Double) -> Double {
      if skewness < 0 { return -pearson(-normal, -skewness) }
      if skewness < 1e-6 { return normal }
      let root = max(0, 1 + skewness * normal / 6 - skewness * skewness / 36)
      return 2 / skewness * (root * root * root - 1)
    }
  }

  /// - Parameter seed: of what is drawn.
  func result(_ items: [Item], resamples: Int, seed: UInt64) -> Result {
    let users = counts.sorted { $0.key < $1.key }
      .map { Users(items[$0.key.item], share: $0.key.share, count: $0.value) }
    var random = SplitMix64(seed: seed)
    var (worths, sums) = ([Double](), [Double]())
    for resample in 0..<resamples {
      var (worth, sum) = (0.0, 0.0)
      for part in users {
        let (mean, now) = (part.item.mean, part.item.resampled[resample])
        worth += part.count * part.share * now
        let paid = part.draw(&random)
        sum += mean > 0 ? paid * (now / mean) : paid + part.count * part.share * (now - mean)
      }
      worths.append(worth)
      sums.append(sum)
    }
    let middle = worths.reduce(0, +) / Double(resamples)
    let variance = worths.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(resamples)
    let revenue = users.reduce(0) { $0 + $1.count * $1.mean }
    let ends = sums.middle ?? (revenue, revenue)
    return Result(
      revenue: revenue, low: min(ends.low, revenue), high: max(ends.high, revenue), byWorth: variance.squareRoot(),
      byUsers: users.reduce(0) { $0 + $1.deviation * $1.deviation }.squareRoot())
  }
}

extension CampaignSums.Item {
  /// The amount at a place among all weights.
  fileprivate func amount(at place: UInt64) -> Double {
    var (low, high) = (0, weights.count)
    while low < high {
      let middle = (low + high) / 2
      if weights[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low < amounts.count ? amounts[low] : mean
  }
}
