import SKANDevice
import SKANBase
import SKANRun

/// A device file.
enum DeviceSchema {
  static var form: JSONForm {
    DeviceFile.fields.form(requiring: ["format", "profile", "kept"], ["profile": profile.form])
  }

  static var objects: [SchemaObject] { [profile] }

  private static let profile = SchemaObject("profile", keys: DeviceProfile.keys, StepSchema.profileForms)
}
