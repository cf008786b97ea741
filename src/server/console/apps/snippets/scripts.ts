/** Returns a script that publishes a signed build to 10% of the devices. */
export function publishSnippet(
  address: string,
  { app, channel }: { readonly app: string; readonly channel: string },
): string {
  return `FILE=Editor_1.2.0_x64-setup.exe
curl -sS --fail-with-body ${address}/api/v1/releases \\
  -H "Authorization: Bearer $TIDEGATE_KEY" -H 'Content-Type: application/json' \\
  -d '{
    "app": "${app}", "channel": "${channel}", "version": "1.2.0", "rolloutPct": 10,
    "notes": "Fixes printing.",
    "artifacts": [{
      "platform": "windows", "arch": "x86_64",
      "url": "https://downloads.example.com/1.2.0/'"$FILE"'",
      "sha512": "'"$(openssl dgst -sha512 -r "$FILE" | cut -d ' ' -f 1)"'",
      "signature": "'"$(cat "$FILE.sig")"'"
    }]
  }'
`
}

/** Returns a command that checks for an update as a device does. */
export function trySnippet(base: string): string {
  return `curl -i -H 'X-Service-Device: my-test-device' ${base}/windows/x86_64/1.0.0
`
}
