import { type NativeImage, nativeImage, nativeTheme } from 'electron'
import onAny2x from '../../../build/icons/tray/tray-on-any@2x.png?inline'
import onAny from '../../../build/icons/tray/tray-on-any.png?inline'
import onDark2x from '../../../build/icons/tray/tray-on-dark@2x.png?inline'
import onDark from '../../../build/icons/tray/tray-on-dark.png?inline'
import onLight2x from '../../../build/icons/tray/tray-on-light@2x.png?inline'
import onLight from '../../../build/icons/tray/tray-on-light.png?inline'
import template2x from '../../../build/icons/tray/trayTemplate@2x.png?inline'
import template from '../../../build/icons/tray/trayTemplate.png?inline'

/**
 * Returns the tray icon. macOS colors it itself. Windows reports the color of the taskbar, which is
 * independent of the app's theme. Linux reports nothing, so the icon has contrast on any panel.
 */
export function trayIcon(): NativeImage {
  if (process.platform === 'darwin') {
    const image = imageOf(template, template2x)
    image.setTemplateImage(true)
    return image
  }
  if (process.platform !== 'win32') return imageOf(onAny, onAny2x)
  const isDark = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
  return isDark ? imageOf(onDark, onDark2x) : imageOf(onLight, onLight2x)
}

function imageOf(dataURL: string, dataURL2x: string): NativeImage {
  const image = nativeImage.createFromDataURL(dataURL)
  image.addRepresentation({ scaleFactor: 2, dataURL: dataURL2x })
  return image
}
