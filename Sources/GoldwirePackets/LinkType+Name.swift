/// What people call link types that cannot be decoded, for the error that refuses them.
extension LinkType {
  /// A name for the number; nil where it has none that anybody would know.
  public var name: String? {
    switch rawValue {
    case 3: "AX.25"
    case 6: "Token Ring"
    case 7: "ARCNET"
    case 8: "SLIP"
    case 10: "FDDI"
    case 100: "ATM"
    case 107: "Frame Relay"
    case 117: "the packet filter's log"
    case 122: "IP over Fibre Channel"
    case 129: "ARCNET on Linux"
    case 138: "IP over FireWire"
    case 143: "DOCSIS"
    case 147...162: "private use \(rawValue &- 147)"
    case 165: "BACnet"
    case 186, 189, 220, 249, 288...293: "USB"
    case 187, 201, 251, 254...256, 272: "Bluetooth"
    case 195, 215, 230, 283: "IEEE 802.15.4"
    case 227: "CAN"
    case 239: "the netfilter's log"
    case 242: "IP over InfiniBand"
    case 253: "netlink"
    case 275: "DPDK"
    default: nil
    }
  }
}
