import SKANCommand
import Testing

@Suite struct ImportCheckTests {
  @Test func laterInstalls() {
    let world = World {
      $0.files["a.csv"] = Array(
        """
        device,time,name
        a,1767225600,login
        a,1767236400,install
        b,1767225600,install
        b,1767225700,install

        """.utf8)
    }
    let run = world.run("import --check --json a.csv")
    #expect(run.code == .ok)
    #expect(run.out.contains(#""devices":{"all":2,"from_beginning":1}"#), "\(run.out)")
    #expect(run.out.contains(#""later_installs":2"#), "\(run.out)")
    #expect(run.out.contains(#""missing":null"#), "\(run.out)")
  }

  @Test func advertising() {
    let world = World {
      $0.files["a.csv"] = Array(
        "device,time,name,revenue,currency,ad_revenue\na,1767225600,ad,5,USD,true\na,1767225601,buy,5,USD,\n".utf8)
    }
    let out = world.run("import --check a.csv").out
    #expect(out.contains("event  \"ad\"  5 USD of advertising\n"), "\(out)")
    #expect(out.contains("event  \"buy\"  5 USD\n"), "\(out)")
  }
}
