/** Returns what goes into the `Info.plist` of an app with Sparkle. */
export function sparkleConfiguration(appcast: string): string {
  return `<key>SUFeedURL</key>
<string>${appcast}</string>
<key>SUPublicEDKey</key>
<string>PUBLIC KEY THAT generate_keys PRINTS</string>
`
}

export const SPARKLE_SWIFT = `import Foundation
import Sparkle

final class UpdateDelegate: NSObject, SPUUpdaterDelegate {
    /// Returns a random ID, created once and kept, so that the device stays in every rollout that it is in.
    private func deviceId() -> String {
        let defaults = UserDefaults.standard
        if let id = defaults.string(forKey: "UpdateDevice") { return id }
        let id = UUID().uuidString.lowercased()
        defaults.set(id, forKey: "UpdateDevice")
        return id
    }

    func feedParameters(
        for updater: SPUUpdater,
        sendingSystemProfile: Bool
    ) -> [[String: String]] {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String ?? ""
        return ["device": deviceId(), "version": version].map {
            ["key": $0.key, "value": $0.value, "displayKey": $0.key, "displayValue": $0.value]
        }
    }
}
`
