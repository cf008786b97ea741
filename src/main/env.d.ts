interface ImportMetaEnv {
  /** `appId` in `build/electron-builder.yml`, put in by the build. */
  readonly APP_ID: string
}
