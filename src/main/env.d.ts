interface ImportMetaEnv {
  /** `appId` in `build/electron-builder.yml`, inserted by the build. */
  readonly APP_ID: string
}
