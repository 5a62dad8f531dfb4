import './setup';
import '../../../webview/main';
