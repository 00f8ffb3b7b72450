import SKANCommandLine

/// The continuous integration products for which `skan init` writes a file.
enum StartPipeline: String, CaseIterable, Sendable {
  case github, gitlab, jenkins, shell

  /// The path where the product expects the file.
  var path: String {
    switch self {
    case .github: ".github/workflows/skan.yml"
    case .gitlab: ".gitlab-ci.yml"
    case .jenkins: "Jenkinsfile"
    case .shell: "ci/skan.sh"
    }
  }

  /// The placeholder for the address of skan's repository, which the user replaces.
  private static let clone = "https://git.example.com/skan.git"
  /// The placeholder for the owner and name of the repository in GitHub's `uses`.
  private static let repository = "your-organization/skan"
  private static let version = "v\(CommandLineTool.version)"
  private static let junit = "skan-report.xml"

  /// The text that the user replaces with the address of a copy of skan; nil if there is none.
  var placeholder: String? {
    switch self {
    case .github: Self.repository
    case .gitlab, .jenkins: Self.clone
    case .shell: nil
    }
  }

  private static let install = [
    "command -v skan || { git clone --depth 1 \(clone) \"$HOME/skan-source\" && \"$HOME/skan-source/scripts/install\" --prefix /usr/local; }"
  ]

  private static let check = "skan model check --strict \(StartPlan.model)"

  /// Runs against the project's own model, without a network and with the same result every day. The report is written
  /// even if the run fails.
  private static let offline = [check, "SKAN_ENDPOINT= skan replay --test \(StartPlan.lists) --report-junit \(junit)"]

  /// Runs against the endpoint of `SKAN_ENDPOINT`, in real time. The user can add expectations on an event's value.
  /// Each run uses a new phone, since an endpoint may remember the phones of earlier runs.
  private static func smoke(_ plan: StartPlan) -> [String] {
    let name = plan.events.first ?? ""
    return [
      "phone=\"$(mktemp -d)/phone.json\"", "skan register --idfv random --state \"$phone\"",
      "skan session --state \"$phone\" --strict", "skan event '\(name)' --state \"$phone\" --strict",
    ]
  }

  func text(_ plan: StartPlan) -> String {
    switch self {
    case .github: github(plan)
    case .gitlab: gitlab(plan)
    case .jenkins: jenkins(plan)
    case .shell: shell(plan)
    }
  }

  private static func indented(_ lines: [String], by count: Int) -> String {
    lines.map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }

  private func github(_ plan: StartPlan) -> String {
    """
    # Written by 'skan init'. What is yours to fill in, under Settings > Secrets and variables > Actions:
    #   the variable SKAN_ENDPOINT  the endpoint under test, such as https://staging.example.com; without it the smoke test is skipped
    #   the secret SKAN_SDK_KEY     the SDK key, if the endpoint wants one; it is never printed
    # And below, in the place of \(Self.repository), owner and name of your copy of skan on GitHub.
    # Its action builds skan once and keeps it in the cache. What fails stands in the job's summary and at the lists' lines.
    name: skan
    on: [push, pull_request]
    jobs:
      skan:
        runs-on: ubuntu-latest
        container: swift:6.3
        steps:
          - uses: actions/checkout@v4
          - name: The lists, without a network
            uses: \(Self.repository)/.github/actions/skan@\(Self.version)
            with:
              arguments: replay --test \(StartPlan.lists)
          - name: The model
            run: \(Self.check)
          - name: The endpoint
            if: vars.SKAN_ENDPOINT != ''
            env:
              SKAN_ENDPOINT: ${{ vars.SKAN_ENDPOINT }}
              SKAN_SDK_KEY: ${{ secrets.SKAN_SDK_KEY }}
            run: |
    \(Self.indented(Self.smoke(plan), by: 10))

    """
  }

  private func gitlab(_ plan: StartPlan) -> String {
    """
    # Written by 'skan init'. What is yours to fill in, under Settings > CI/CD > Variables:
    #   SKAN_ENDPOINT  the endpoint under test, such as https://staging.example.com; without it the smoke test is not run
    #   SKAN_SDK_KEY   the SDK key, masked, if the endpoint wants one; it is never printed
    # And below, in the place of \(Self.clone), the address of your copy of skan.
    default:
      image: swift:6.3
      before_script:
        - >-
    \(Self.indented(Self.install, by: 6))

    skan:
      script:
        # The model and the lists, without a network.
    \(Self.indented(Self.offline.map { "- \($0)" }, by: 4))
      artifacts:
        when: always
        reports:
          junit: \(Self.junit)

    skan-endpoint:
      rules:
        - if: $SKAN_ENDPOINT
      script:
        - |
    \(Self.indented(["set -eu"] + Self.smoke(plan), by: 6))

    """
  }

  private func jenkins(_ plan: StartPlan) -> String {
    """
    // Written by 'skan init'. What is yours to fill in:
    //   the variable SKAN_ENDPOINT     the endpoint under test, such as https://staging.example.com; without it the stage is skipped
    //   the credential 'skan-sdk-key'  a secret text: the SDK key, if the endpoint wants one; it is never printed
    // And below, in the place of \(Self.clone), the address of your copy of skan.
    pipeline {
      agent { docker { image 'swift:6.3'; args '-u root' } }
      stages {
        stage('Install skan') { steps { sh '''
    \(Self.indented(Self.install, by: 6))
        ''' } }
        stage('The model and the lists, without a network') { steps { sh '''
    \(Self.indented(["set -eu"] + Self.offline, by: 6))
        ''' } }
        stage('The endpoint') {
          when { expression { env.SKAN_ENDPOINT } }
          environment { SKAN_SDK_KEY = credentials('skan-sdk-key') }
          steps { sh '''
    \(Self.indented(["set -eu"] + Self.smoke(plan), by: 8))
          ''' }
        }
      }
      post { always { junit '\(Self.junit)' } }
    }

    """
  }

  private func shell(_ plan: StartPlan) -> String {
    """
    #!/bin/sh
    # Written by 'skan init'. Run it in the folder of skan.json; skan must be on the PATH. What is yours to set:
    #   SKAN_ENDPOINT  the endpoint under test, such as https://staging.example.com; without it the smoke test is not run
    #   SKAN_SDK_KEY   the SDK key, from the secrets of your CI, if the endpoint wants one; it is never printed
    # A report in JUnit's form is left in \(Self.junit).
    set -eu

    # The model and the lists, without a network.
    \(Self.offline.joined(separator: "\n"))

    if [ -z "${SKAN_ENDPOINT:-}" ]; then
      echo "SKAN_ENDPOINT is not set: no endpoint was tested" >&2
      exit 0
    fi
    \(Self.smoke(plan).joined(separator: "\n"))

    """
  }
}
